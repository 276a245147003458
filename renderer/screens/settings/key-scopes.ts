import { formatCount } from '../../ui/format.ts';

/** A kind of objects that a key may read or write, by its name in scopes. */
export interface ScopeObject {
  readonly object: string;
  readonly label: string;
  /** What reading and what writing means. */
  readonly read: string;
  /** null: there is nothing to write. */
  readonly write: string | null;
}

/** What is chosen for a key, object by object; writing includes reading. */
export type ScopeChoice = Readonly<Record<string, 'read' | 'write'>>;

const row = (object: string, label: string, read: string, write: string | null): ScopeObject => ({
  object,
  label,
  read,
  write,
});

/** In the order of the list: the most frequent first. */
export const SCOPE_OBJECTS: readonly ScopeObject[] = [
  row('query', 'Events and queries', 'run queries on events', null),
  row('dashboard', 'Dashboards', 'view them and their tiles', 'create, edit, delete'),
  row('insight', 'Insights', 'view saved queries', 'create, edit, delete'),
  row('person', 'Persons', 'view persons and properties', 'edit and delete them'),
  row('group', 'Groups', 'view companies, teams…', 'create and edit them'),
  row('cohort', 'Cohorts', 'view their members', 'create, edit, delete'),
  row('feature_flag', 'Flags', 'view conditions, evaluate', 'create, edit, delete'),
  row('action', 'Actions', 'view them and their match groups', 'create, edit, delete'),
  row('annotation', 'Annotations', 'view annotations on charts', 'create and delete'),
  row('event_definition', 'Event names', 'view event definitions', 'describe, tag, hide'),
  row('property_definition', 'Properties', 'view property definitions', 'describe, tag, hide'),
  row('insight_variable', 'SQL variables', 'view them', 'create, edit, delete'),
  row('dashboard_template', 'Dashboard templates', 'view them', 'create, edit, delete'),
  row('sharing_configuration', 'Shared links', 'view shared links', 'share, and turn off sharing'),
  row('access_control', 'Access rules', 'view access rules', 'edit them'),
  row('activity_log', 'Activity log', 'view changes', null),
  row('project', 'Projects', 'view them and their settings', 'create, edit, delete'),
  row('organization', 'Organization', 'view its name and projects', 'edit it'),
  row('organization_member', 'Members', 'view its members', 'add, edit, remove'),
  row('user', 'You', 'view your profile', 'edit your profile'),
  row('survey', 'Surveys', 'view them', 'create, edit, delete'),
  row('early_access_feature', 'Early access', 'view features', 'create, edit, delete'),
];

export type ScopePreset = 'read' | 'chosen' | 'all';

/** The draft of a key's scopes. Scopes on objects that are not offered here are unchanged. */
export interface ScopeDraft {
  preset: ScopePreset;
  choice: ScopeChoice;
  others: readonly string[];
}

/** Reading everything that is offered. */
const READ_ALL: ScopeChoice = Object.fromEntries(SCOPE_OBJECTS.map(({ object }) => [object, 'read']));

const OFFERED: ReadonlySet<string> = new Set(SCOPE_OBJECTS.map(({ object }) => object));

/** The draft of a key with these scopes. */
export function draftOfScopes(scopes: readonly string[]): ScopeDraft {
  if (scopes.includes('*')) return { preset: 'all', choice: {}, others: [] };
  const choice: Record<string, 'read' | 'write'> = {};
  const others: string[] = [];
  for (const scope of scopes) {
    const [object = '', right] = scope.split(':');
    if (!OFFERED.has(object)) others.push(scope);
    else if (right === 'write' || choice[object] === undefined) choice[object] = right as 'read' | 'write';
  }
  return { preset: isReadAll(choice) && others.length === 0 ? 'read' : 'chosen', choice, others };
}

/** The scopes of a draft, in the order of the list of objects. */
export function scopesOf({ preset, choice, others }: ScopeDraft): string[] {
  if (preset === 'all') return ['*'];
  const chosen = preset === 'read' ? READ_ALL : choice;
  const offered = SCOPE_OBJECTS.flatMap(({ object }) => {
    const right = chosen[object];
    return right === undefined ? [] : [`${object}:${right}`];
  });
  return preset === 'read' ? offered : [...offered, ...others];
}

/** The draft when another preset is chosen: the boxes show what it means. */
export function withPreset(draft: ScopeDraft, preset: ScopePreset): ScopeDraft {
  return { ...draft, preset, choice: preset === 'read' ? READ_ALL : preset === 'all' ? {} : draft.choice };
}

/** The draft after a box was pressed: writing brings reading with it, and without reading there is no writing. */
export function toggled(draft: ScopeDraft, object: string, right: 'read' | 'write'): ScopeDraft {
  const { [object]: now, ...rest } = draft.choice;
  const next =
    right === 'write' ? (now === 'write' ? 'read' : 'write') : now === undefined ? 'read' : undefined;
  const choice: ScopeChoice = next === undefined ? rest : { ...rest, [object]: next };
  return { ...draft, preset: 'chosen', choice };
}

function isReadAll(choice: ScopeChoice): boolean {
  return SCOPE_OBJECTS.every(({ object }) => choice[object] === 'read');
}

/** What a key may do, for a narrow place: `everything`, `read 5, write 1`. */
export function rightsLabel(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'everything';
  const count = (right: string) => scopes.filter((scope) => scope.endsWith(`:${right}`)).length;
  const words = (['read', 'write'] as const)
    .filter((right) => count(right) > 0)
    .map((right) => `${right} ${formatCount(count(right))}`);
  return words.join(', ');
}

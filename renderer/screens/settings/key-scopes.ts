import { RESOURCES, titleOfMany } from '../../composables/resources.ts';
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

/** In the order in which they are offered. */
export const SCOPE_OBJECTS: readonly ScopeObject[] = RESOURCES.flatMap((resource) => {
  const { noun, scope } = resource;
  return scope ? [{ object: noun, label: titleOfMany(resource), ...scope }] : [];
});

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

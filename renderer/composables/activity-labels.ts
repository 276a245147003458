import type { ActivityEntry } from '../../server/features/activity-log/activity-log.contract.ts';
import { RESOURCES } from './resources.ts';
import { userNameOf } from './user-name.ts';

type Change = ActivityEntry['detail']['changes'][number];

/** What is said of an entry behind the name of who did it: `renamed the action`, **Joined**, `, before: Signed up`. */
export interface Sentence {
  before: string;
  name: string;
  after: string;
}

const NOUNS: ReadonlyMap<string, string> = new Map(
  RESOURCES.flatMap(({ activity, one }) => (activity === undefined ? [] : [[activity, one] as const])),
);

const FILTERS: ReadonlySet<string> = new Set(RESOURCES.flatMap(({ filter }) => filter ?? []));

/** The choices of the filter: kinds of objects by their names in the log, those with the same label together. */
export const KINDS: readonly { id: string; label: string }[] = [...FILTERS].map((label) => ({
  id: RESOURCES.filter(({ filter }) => filter === label)
    .map(({ activity }) => activity)
    .join(','),
  label,
}));

const LEVELS: Readonly<Record<string, string>> = { 1: 'member', 8: 'admin', 15: 'owner' };

const VERBS: Readonly<Record<string, string>> = {
  created: 'created the',
  deleted: 'deleted the',
  restored: 'restored the',
  overridden: 'added a local override to the',
  'override ended': 'removed a local override from the',
  'persons added': 'added persons to the',
  'person removed': 'removed a person from the',
  'collaborator added': 'added a collaborator to the',
  'collaborator removed': 'removed a collaborator from the',
  'events imported': 'imported events into the',
  'events deleted': 'deleted all events and persons of the',
  'sharing enabled': 'enabled sharing for the',
  'sharing disabled': 'disabled sharing for the',
  'access token refreshed': 'created a new public link for the',
  'old access token ended': 'revoked the previous public link of the',
};

/** The description of an entry, as the rest of a sentence that starts with the user. */
export function sentenceOf({ activity, scope, item_id: id, detail }: ActivityEntry): Sentence {
  const name = detail.name || `#${id}`;
  const noun = NOUNS.get(scope) ?? scope;
  if (scope === 'OrganizationMembership') return membershipSentence(activity, name, detail.changes);
  if (scope === 'AccessControl') return { before: 'changed access to', name, after: '' };
  if (scope === 'SharingConfiguration') return machineSharing(activity);
  if (scope === 'User')
    return { before: `changed the ${fieldList(detail.changes)} in the profile of`, name, after: '' };
  if (activity === 'updated') return updateSentence(noun, name, detail.changes);
  return { before: `${VERBS[activity] ?? `${activity}:`} ${noun}`, name, after: '' };
}

function membershipSentence(activity: string, name: string, changes: readonly Change[]): Sentence {
  const level = LEVELS[String(changes.find(({ field }) => field === 'level')?.after)];
  if (activity === 'deleted') return { before: 'removed', name, after: '' };
  if (activity === 'updated')
    return { before: 'changed the role of', name, after: level === undefined ? '' : `to ${level}` };
  return { before: 'added', name, after: level === undefined ? '' : `as ${level}` };
}

function machineSharing(activity: string): Sentence {
  const isEnd = activity === 'all sharing ended';
  return {
    before: isEnd ? 'turned off' : 'turned on',
    name: 'public sharing',
    after: 'for this server',
  };
}

function updateSentence(noun: string, name: string, changes: readonly Change[]): Sentence {
  const [only] = changes;
  if (changes.length === 1 && only?.field === 'name' && typeof only.before === 'string' && only.before !== '')
    return { before: `renamed the ${noun}`, name, after: `, formerly ${only.before}` };
  if (changes.length === 1 && only?.field === 'api_token')
    return { before: `replaced the API key of the ${noun}`, name, after: '' };
  const what = changes.length === 0 ? '' : `the ${fieldList(changes)} of `;
  return { before: `changed ${what}the ${noun}`, name, after: '' };
}

const MAX_FIELDS = 3;

/** `description`, `name and tags`, `name, tags, steps and 2 more`. */
function fieldList(changes: readonly Change[]): string {
  const fields = [...new Set(changes.map(({ field }) => fieldWord(field)))];
  const shown = fields.length > MAX_FIELDS + 1 ? fields.slice(0, MAX_FIELDS) : fields;
  const rest = fields.length - shown.length;
  const words = rest > 0 ? [...shown, `${rest} more`] : shown;
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  timezone: 'time zone',
  api_token: 'API key',
  date_marker: 'time',
  dashboard_item: 'insight',
  dashboard_id: 'dashboard',
  scoped_teams: 'projects',
};

/** A field by its name on the wire, in words. */
export function fieldWord(field: string): string {
  return FIELD_WORDS[field] ?? field.replaceAll('_', ' ').trim();
}

/** A value before or after a change, as shown: text unchanged, other values as JSON; null when there was none. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Who did it, in words. */
export function whoOf({ user, is_system: isSystem }: Pick<ActivityEntry, 'user' | 'is_system'>): string {
  if (user === null) return isSystem ? 'Burrow' : 'Someone';
  return userNameOf(user);
}

import { FLAG_ENDPOINTS, type FlagContext, type FlagEndpoint } from '../../api/flag-explanations.api.ts';

/** The empty context. */
export const EMPTY_CONTEXT: FlagContext = {
  distinctId: '',
  personProperties: {},
  groups: {},
  groupProperties: {},
  ip: '',
  anonDistinctId: '',
  deviceId: '',
};

/** What each part of a context is called in the address; texts as they are, the others as JSON. */
const NAMES = {
  distinctId: 'id',
  personProperties: 'props',
  groups: 'groups',
  groupProperties: 'group_props',
  ip: 'ip',
  anonDistinctId: 'anon',
  deviceId: 'device',
} as const satisfies Record<keyof FlagContext, string>;

type AddressName = (typeof NAMES)[keyof typeof NAMES];

/** The context as parameters of the address; `undefined` for what it leaves empty, so that the address stays short. */
export function contextToQuery(context: FlagContext): Record<AddressName, string | undefined> {
  const entries = Object.entries(NAMES).map(([part, name]) => {
    const value = context[part as keyof FlagContext];
    if (typeof value === 'string') return [name, value || undefined];
    return [name, Object.keys(value).length > 0 ? JSON.stringify(value) : undefined];
  });
  return Object.fromEntries(entries) as Record<AddressName, string | undefined>;
}

/** The context of a URL, which may contain any text: unreadable parts are empty. */
export function contextFromQuery(query: Readonly<Record<string, unknown>>): FlagContext {
  const text = (part: keyof FlagContext) => textOf(query[NAMES[part]]);
  const record = (part: keyof FlagContext) => recordOf(query[NAMES[part]]);
  return {
    distinctId: text('distinctId'),
    personProperties: record('personProperties'),
    groups: textsOf(record('groups')),
    groupProperties: recordsOf(record('groupProperties')),
    ip: text('ip'),
    anonDistinctId: text('anonDistinctId'),
    deviceId: text('deviceId'),
  };
}

/** A whole context as one parameter: the one that another is compared with. */
export function contextToText(context: FlagContext): string {
  return JSON.stringify(contextToQuery(context));
}

/** The context of such a parameter; `null` when there is none. */
export function contextFromText(text: unknown): FlagContext | null {
  return typeof text === 'string' ? contextFromQuery(recordOf(text)) : null;
}

/** The route that an address names, else the newest. */
export function endpointFromText(text: unknown): FlagEndpoint {
  return FLAG_ENDPOINTS.find(({ id }) => id === text) ?? FLAG_ENDPOINTS[0];
}

/** How many values stand in a context instead of stored ones. */
export function countChanges(context: FlagContext): number {
  const ofGroups = Object.values(context.groupProperties).map((values) => Object.keys(values).length);
  const ofPerson = Object.keys(context.personProperties).length;
  return ofGroups.reduce((sum, count) => sum + count, ofPerson) + (context.ip === '' ? 0 : 1);
}

/** The same user with stored values alone. */
export function withoutChanges(context: FlagContext): FlagContext {
  return { ...context, personProperties: {}, groupProperties: {}, ip: '' };
}

/** A record with another value of one key; `undefined` takes the key away. */
export function withValue<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const others = Object.entries(record).filter(([name]) => name !== key);
  if (value === undefined) return Object.fromEntries(others);
  const isThere = Object.hasOwn(record, key);
  const entries = isThere
    ? Object.entries(record).map(([name, old]): [string, Value] => [name, name === key ? value : old])
    : [...others, [key, value] as [string, Value]];
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An empty object when the text is not a JSON object, as in an edited URL. */
function recordOf(text: unknown): Record<string, unknown> {
  if (typeof text !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(record).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string' && entry[1] !== '';
  });
  return Object.fromEntries(entries);
}

function recordsOf(record: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const entries = Object.entries(record).filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  );
  return Object.fromEntries(entries);
}

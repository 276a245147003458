import { stringifyExactly } from '../../lib/exact-number.contract.ts';
/** Values of a person's or group's properties, as JSON. */
export type Properties = Record<string, unknown>;

/** What set a property: the event, by which of its fields, and the event's time. */
export interface PropertySource {
  event: string;
  by: '$set' | '$set_once';
  /** ISO 8601, UTC. */
  at: string;
}

/** A person as the commits know it. */
export interface PersonState {
  readonly projectId: number;
  readonly id: number;
  readonly uuid: string;
  /** Unix microseconds. */
  createdAt: number;
  properties: Properties;
  sources: Record<string, PropertySource>;
  /** Of the properties, in characters of JSON text, about. */
  size: number;
  isIdentified: boolean;
  /** All its distinct IDs in order; null while not loaded. */
  distinctIds: readonly PlacedId[] | null;
}

/** A distinct id and its place among those of its person. */
export interface PlacedId {
  readonly distinctId: string;
  readonly position: number;
}

/** What changes the properties of a person or a group. */
export interface PropertyChange {
  set: Readonly<Properties> | null;
  setOnce: Readonly<Properties> | null;
  unset: readonly string[] | null;
}

/** What a change does to properties that it was compared with. */
export interface PropertyChanges {
  /** Names that get another value, by the field that gives it; of a name that comes twice the last counts. */
  put: readonly { name: string; value: unknown; by: PropertySource['by'] }[];
  removed: readonly string[];
}

/**
 * What an event's updates do, in the order set_once, set, unset (ingestion contract 6.3): `set_once` fills absent keys,
 * among which an existing null counts; its own nulls fill nothing, so that a later value can. Null when nothing changes.
 */
export function changesTo(current: Readonly<Properties>, change: PropertyChange): PropertyChanges | null {
  const put = new Map<string, { name: string; value: unknown; by: PropertySource['by'] }>();
  const removed: string[] = [];
  const read = (name: string): unknown => {
    const changed = put.get(name);
    if (changed !== undefined) return changed.value;
    return Object.hasOwn(current, name) ? current[name] : undefined;
  };
  for (const [name, value] of Object.entries(change.setOnce ?? {})) {
    if (value !== null && (read(name) ?? null) === null) put.set(name, { name, value, by: '$set_once' });
  }
  for (const [name, value] of Object.entries(change.set ?? {})) {
    if (!isSameJson(read(name), value)) put.set(name, { name, value, by: '$set' });
  }
  for (const name of change.unset ?? []) if (read(name) !== undefined) removed.push(name);
  return put.size === 0 && removed.length === 0 ? null : { put: [...put.values()], removed };
}

/**
 * Combines the records of two persons; values of `winner` replace those of the same name (6.6.4). Either record is
 * changed and becomes the result: `isSmaller` says that `winner` has less to move.
 */
export function joined<T>(
  winner: Record<string, T>,
  other: Record<string, T>,
  isSmaller: boolean,
): Record<string, T> {
  if (isSmaller) return Object.assign(other, winner);
  for (const [name, value] of Object.entries(other)) if (!Object.hasOwn(winner, name)) winner[name] = value;
  return winner;
}

/** A copy without a prototype, in which `__proto__` is a name like any other. */
export function copyOf<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, record);
}

/** Whether two values are the same as JSON. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return stringifyExactly(a) === stringifyExactly(b);
}

/**
 * Sources as they are stored: lists of properties that were set together, `[event, by, at, ...names]`, since most
 * share one source.
 */
type StoredSources = readonly (readonly [
  event: string,
  by: PropertySource['by'],
  at: string,
  ...names: string[],
])[];

export function sourcesText(sources: PersonState['sources']): string {
  const lists = new Map<PropertySource, string[]>();
  for (const name of Object.keys(sources)) {
    const source = sources[name]!;
    const list = lists.get(source);
    if (list === undefined) lists.set(source, [source.event, source.by, source.at, name]);
    else list.push(name);
  }
  return JSON.stringify([...lists.values()]);
}

/** Reads them; versions before stored an object of a source for each name. */
export function sourcesOf(text: string): PersonState['sources'] {
  const stored = JSON.parse(text) as StoredSources | PersonState['sources'];
  if (!isList(stored)) return stored;
  const sources = copyOf<PropertySource>({});
  for (const [event, by, at, ...names] of stored) {
    const source = { event, by, at };
    for (const name of names) sources[name] = source;
  }
  return sources;
}

function isList(stored: StoredSources | PersonState['sources']): stored is StoredSources {
  return Array.isArray(stored);
}

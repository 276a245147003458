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
  isIdentified: boolean;
  /** All of its ids in their order; null while nobody needed them. */
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

export interface ChangedProperties {
  properties: Properties;
  /** Names that got another value, by the field that gave it. */
  changed: readonly { name: string; by: PropertySource['by'] }[];
  removed: readonly string[];
}

/**
 * Applies an event's updates in the order set_once, set, unset (ingestion contract 6.3): `set_once` fills absent keys,
 * among which an existing null counts; its own nulls fill nothing, so that a later value can. Returns null when nothing
 * changes; the given properties stay as they are.
 */
export function changeProperties(
  current: Readonly<Properties>,
  change: PropertyChange,
): ChangedProperties | null {
  let properties: Properties | null = null;
  const changed: { name: string; by: PropertySource['by'] }[] = [];
  const removed: string[] = [];
  const put = (name: string, value: unknown, by: PropertySource['by']): void => {
    properties ??= copyOf(current);
    properties[name] = value;
    changed.push({ name, by });
  };
  const read = (name: string): unknown => {
    const from = properties ?? current;
    return Object.hasOwn(from, name) ? from[name] : undefined;
  };
  for (const [name, value] of Object.entries(change.setOnce ?? {})) {
    if (value !== null && (read(name) ?? null) === null) put(name, value, '$set_once');
  }
  for (const [name, value] of Object.entries(change.set ?? {})) {
    if (!isSameJson(read(name), value)) put(name, value, '$set');
  }
  for (const name of change.unset ?? []) {
    if (read(name) === undefined) continue;
    properties ??= copyOf(current);
    delete properties[name];
    removed.push(name);
  }
  return properties === null ? null : { properties, changed, removed };
}

/** The properties of two persons in one, those of `winner` standing where both have a name (6.6.4). */
export function mergeProperties(winner: Readonly<Properties>, other: Readonly<Properties>): Properties {
  const merged = copyOf(other);
  for (const [name, value] of Object.entries(winner)) merged[name] = value;
  return merged;
}

/** A copy without a prototype, in which `__proto__` is a name like any other. */
function copyOf(properties: Readonly<Properties>): Properties {
  return Object.assign(Object.create(null) as Properties, properties);
}

function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

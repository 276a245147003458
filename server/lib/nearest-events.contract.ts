/** An event as a test sees it. */
export interface SeenEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What a test expects: null is any. Other properties than these may be there too. */
export interface WantedEvent {
  readonly event: string | null;
  readonly distinctId: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Whether a value is the expected one; test runners have matchers in place of values. */
export type IsEqual = (value: unknown, wanted: unknown) => boolean;

/** Why an event is not the expected one, a phrase for each difference; empty: it is. */
export function differencesOf(seen: SeenEvent, wanted: WantedEvent, isEqual: IsEqual): string[] {
  const differences: string[] = [];
  if (wanted.event !== null && seen.event !== wanted.event)
    differences.push(`its name is ${textOf(seen.event)}`);
  if (wanted.distinctId !== null && seen.distinct_id !== wanted.distinctId)
    differences.push(`its distinct ID is ${textOf(seen.distinct_id)}, not ${textOf(wanted.distinctId)}`);
  for (const [name, value] of Object.entries(wanted.properties)) {
    const isThere = Object.hasOwn(seen.properties, name);
    if (isEqual(seen.properties[name], value)) continue;
    if (!isThere) differences.push(`${name} is missing`);
    else differences.push(`${name} is ${textOf(seen.properties[name])}, not ${textOf(value)}`);
  }
  return differences;
}

export interface NearEvent<E extends SeenEvent> {
  readonly event: E;
  readonly differences: readonly string[];
}

/** The events that differ least from the expected one, nearest first; a similar name is nearer than another one. */
export function nearestOf<E extends SeenEvent>(
  events: readonly E[],
  wanted: WantedEvent,
  isEqual: IsEqual,
  limit: number,
): NearEvent<E>[] {
  return events
    .map((event) => ({ event, differences: differencesOf(event, wanted, isEqual) }))
    .filter(({ differences }) => differences.length > 0)
    .map((near) => ({ near, distance: near.differences.length + nameDistance(near.event.event, wanted) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, limit)
    .map(({ near }) => near);
}

/** More than any number of differing properties of a usual event, unless the names are nearly the same. */
const OTHER_NAME = 1_000;

/** `Sign Up`, `sign_up` and `signup` are one name to a reader, and `user signup` holds it. */
function nameDistance(name: string, { event: wanted }: WantedEvent): number {
  if (wanted === null || name === wanted) return 0;
  const [one, other] = [name, wanted].map((text) => text.toLowerCase().replaceAll(/[^a-z0-9$]/g, ''));
  if (one === other) return 0;
  return one !== '' && other !== '' && (one!.includes(other!) || other!.includes(one!)) ? 1 : OTHER_NAME;
}

const MAX_TEXT = 200;

/** A value as JSON; a matcher of a test runner, such as `expect.any(String)`, by its own name. */
export function textOf(value: unknown): string {
  const named = (value as { toAsymmetricMatcher?: () => string } | null | undefined)?.toAsymmetricMatcher;
  const text = typeof named === 'function' ? named.call(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

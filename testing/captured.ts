import {
  differencesOf,
  nearestOf,
  textOf,
  type IsEqual,
  type SeenEvent,
  type WantedEvent,
} from '../server/lib/nearest-events.contract.ts';
import type { BurrowForMatchers, CapturedEvent, EventMatch } from './burrow.ts';

/** As it is before a test replaces the clock. */
const now = performance.now.bind(performance);
/** How long tests wait for events; a busy machine may need more than five seconds. */
export const DEFAULT_TIMEOUT_MS: number = Number(process.env['BURROW_TEST_TIMEOUT']) || 5_000;
/** The server answers a request that waits after a minute at most. */
const MAX_WAIT_MS = 60_000;
const MAX_NEAREST = 5;
/** Events that a message lists at most. */
const MAX_LISTED = 20;

/** What `look` has found in the events, undefined when the time was over; and the events that it has looked at last. */
export interface Looked<T> {
  found: T | undefined;
  events: CapturedEvent[];
}

/** Looks at the events whenever there are more of them, until `look` finds something or `timeout` milliseconds are over. */
export async function waitUntil<T>(
  burrow: Pick<BurrowForMatchers, 'eventsBeyond'>,
  look: (events: CapturedEvent[]) => T | undefined,
  timeout: number,
): Promise<Looked<T>> {
  const end = now() + timeout;
  let { events, total } = await burrow.eventsBeyond(null, 0);
  for (;;) {
    const found = look(events);
    const left = end - now();
    if (found !== undefined || left <= 0) return { found, events };
    ({ events, total } = await burrow.eventsBeyond(total, Math.min(left, MAX_WAIT_MS)));
  }
}

/**
 * Whether a value of JSON is the wanted one, in which there may be matchers of a test runner, such as `expect.any(String)`. Not by
 * the runner's own comparison, which Playwright keeps from others.
 */
const isEqual: IsEqual = (value, wanted) => {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if ('asymmetricMatch' in wanted) return (wanted as { asymmetricMatch: Asymmetric }).asymmetricMatch(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted))
    return false;
  const [names, wantedNames] = [Object.keys(value), Object.keys(wanted)];
  return (
    names.length === wantedNames.length &&
    wantedNames.every(
      (name) => Object.hasOwn(value, name) && isEqual(value[name as never], wanted[name as never]),
    )
  );
};

type Asymmetric = (value: unknown) => boolean;

export function isMatch(event: CapturedEvent, match: EventMatch): boolean {
  if (typeof match === 'function') return match(event);
  return differencesOf(seen(event), wantedOf(match), isEqual).length === 0;
}

/** A function wants nothing that could be named. */
function wantedOf(match: EventMatch): WantedEvent {
  if (typeof match === 'function') return { event: null, distinctId: null, properties: {} };
  const {
    event = null,
    distinctId = null,
    properties = {},
  } = typeof match === 'string' ? { event: match } : match;
  return { event, distinctId, properties };
}

function seen(event: CapturedEvent): SeenEvent & { source: CapturedEvent } {
  return { event: event.event, distinct_id: event.distinctId, properties: event.properties, source: event };
}

/** `"signup" with {"plan":"pro"} of "user-42"`. */
export function describe(match: EventMatch): string {
  if (typeof match === 'function') return 'that the function accepts';
  const { event, distinctId, properties } = wantedOf(match);
  const wanted = Object.entries(properties).map(
    ([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`,
  );
  return [
    event === null ? '' : textOf(event),
    wanted.length === 0 ? '' : `with {${wanted.join(',')}}`,
    distinctId === null ? '' : `of ${textOf(distinctId)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The sentence about an event that has not come, and the nearest of those that have, each with what differs. */
export function reportMissing(events: readonly CapturedEvent[], match: EventMatch, timeout: number): string {
  const sentence = `Burrow has captured no event ${describe(match)} within ${timeout} ms.`;
  return `${sentence}\n\n${reportNearest(events, match)}`;
}

export function reportNearest(events: readonly CapturedEvent[], match: EventMatch): string {
  if (events.length === 0)
    return 'No event has arrived at all. Has the SDK sent its queue (flush, shutdown), and does it send to this host?';
  if (typeof match === 'function') return reportList(events);
  const nearest = nearestOf(events.map(seen), wantedOf(match), isEqual, MAX_NEAREST);
  const lines = nearest.map(
    ({ event, differences }) => `  ${lineOf(event.source)}: ${differences.join('; ')}`,
  );
  const count = events.length === 1 ? 'one event' : `${events.length} events`;
  return [`The nearest of ${count}:`, ...lines].join('\n');
}

/** Events with their properties, but for those that SDKs add. */
export function reportList(events: readonly CapturedEvent[]): string {
  const lines = events.slice(-MAX_LISTED).map((event) => {
    const own = Object.entries(event.properties).filter(([name]) => !name.startsWith('$'));
    return `  ${lineOf(event)}${own.length === 0 ? '' : ` ${textOf(Object.fromEntries(own))}`}`;
  });
  const left = events.length - lines.length;
  return [left > 0 ? `Events (the last ${MAX_LISTED} of ${events.length}):` : 'Events:', ...lines].join('\n');
}

function lineOf({ event, distinctId }: CapturedEvent): string {
  return `${textOf(event)} of ${textOf(distinctId)}`;
}

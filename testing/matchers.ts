import type { Burrow, BurrowForMatchers, CapturedEvent, EventMatch } from './burrow.ts';
import {
  DEFAULT_TIMEOUT_MS,
  describe,
  isMatch,
  reportList,
  reportMissing,
  reportNearest,
  waitUntil,
} from './captured.ts';

/** How long no further event has to come before there is none, or there are no more. */
const QUIET_MS = 250;

export interface CaptureOptions {
  /** Exactly so many; at least one when absent. */
  times?: number;
  distinctId?: string;
  /** Milliseconds until the events have to be there (5,000), or with `not`, in which they must not come (250). */
  timeout?: number;
}

/** An event of an order: its name, or its name and properties. */
export type OrderedEvent = string | readonly [event: string, properties: Record<string, unknown>];

/** The matchers as `expect(burrow)` has them; `R` is what they return. */
export interface BurrowMatchers<R = Promise<void>> {
  /** The app has captured the event, with these properties at least. Waits for it. */
  toHaveCaptured(event: string, properties?: Record<string, unknown>, options?: CaptureOptions): R;
  /** The app has captured these events in this order; others may be between them. Waits for them. */
  toHaveCapturedInOrder(
    events: readonly OrderedEvent[],
    options?: Pick<CaptureOptions, 'distinctId' | 'timeout'>,
  ): R;
}

/** What test runners of Jest's kind give a matcher. */
export interface MatcherContext {
  isNot?: boolean;
}

export interface MatcherResult {
  pass: boolean;
  message: () => string;
}

async function toHaveCaptured(
  this: MatcherContext,
  received: Burrow,
  event: string,
  properties: Record<string, unknown> = {},
  options: CaptureOptions = {},
): Promise<MatcherResult> {
  const burrow = checked(received, 'toHaveCaptured');
  const { isNot = false } = this;
  const { times, distinctId } = options;
  const timeout = options.timeout ?? (isNot ? QUIET_MS : DEFAULT_TIMEOUT_MS);
  const match: EventMatch = { event, properties, ...(distinctId === undefined ? {} : { distinctId }) };
  const matching = (events: readonly CapturedEvent[]) => events.filter((one) => isMatch(one, match));

  const waitForMore = (count: number, patience: number) =>
    waitUntil(burrow, (all) => (matching(all).length > count ? true : undefined), patience);
  const isNone = times === 0;
  let { events } = isNone
    ? await waitForMore(0, options.timeout ?? QUIET_MS)
    : await waitForMore((times ?? 1) - 1, timeout);
  // One more than wanted may be on its way.
  if (times !== undefined && !isNone && matching(events).length === times)
    ({ events } = await waitForMore(times, QUIET_MS));
  const found = matching(events);
  return {
    pass: times === undefined ? found.length > 0 : found.length === times,
    message: () =>
      found.length === 0 && !isNot
        ? reportMissing(events, match, timeout)
        : reportCount(found, events, match, { times, isNot }),
  };
}

function reportCount(
  found: readonly CapturedEvent[],
  all: readonly CapturedEvent[],
  match: EventMatch,
  { times, isNot }: { times: number | undefined; isNot: boolean },
): string {
  const wanted = isNot ? 'which should not be' : `not ${times}`;
  const count = found.length === 1 ? 'once' : `${found.length} times`;
  const sentence = `Burrow has captured ${describe(match)} ${count}, ${wanted}.`;
  const isShort = times !== undefined && found.length < times;
  return `${sentence}\n\n${isShort ? `${reportNearest(all, match)}\n\n` : ''}${reportList(found)}`;
}

async function toHaveCapturedInOrder(
  this: MatcherContext,
  received: Burrow,
  order: readonly OrderedEvent[],
  options: Pick<CaptureOptions, 'distinctId' | 'timeout'> = {},
): Promise<MatcherResult> {
  const burrow = checked(received, 'toHaveCapturedInOrder');
  const { isNot = false } = this;
  const { distinctId } = options;
  const timeout = options.timeout ?? (isNot ? QUIET_MS : DEFAULT_TIMEOUT_MS);
  const matches: EventMatch[] = order.map((one) => {
    const [event, properties] = typeof one === 'string' ? [one, {}] : one;
    return { event, properties, ...(distinctId === undefined ? {} : { distinctId }) };
  });

  /** The places of the events of the order, as far as they are there. */
  function placesIn(events: readonly CapturedEvent[]): number[] {
    const places: number[] = [];
    for (const match of matches) {
      const from = (places.at(-1) ?? -1) + 1;
      const at = events.findIndex((event, index) => index >= from && isMatch(event, match));
      if (at === -1) break;
      places.push(at);
    }
    return places;
  }

  const { found, events } = await waitUntil(
    burrow,
    (all) => (placesIn(all).length === matches.length ? true : undefined),
    timeout,
  );
  return {
    pass: found === true,
    message() {
      if (found === true)
        return `Burrow has captured these events in this order, which was not to be.\n\n${reportList(events)}`;
      const places = placesIn(events);
      const missing = matches[places.length]!;
      const before = places.length === 0 ? '' : ` after ${describe(matches[places.length - 1]!)}`;
      const rest = events.slice((places.at(-1) ?? -1) + 1);
      const sentence = `Burrow has captured no event ${describe(missing)}${before} within ${timeout} ms (${places.length} of ${matches.length} are in order).`;
      if (events.length === 0) return `${sentence}\n\n${reportNearest(events, missing)}`;
      const nearest = rest.length === 0 ? '' : `${reportNearest(rest, missing)}\n\n`;
      return `${sentence}\n\n${nearest}${reportList(events)}`;
    },
  };
}

function checked(received: Burrow, name: string): BurrowForMatchers {
  if (typeof (received as Partial<BurrowForMatchers> | null)?.eventsBeyond === 'function')
    return received as BurrowForMatchers;
  throw new TypeError(`expect(burrow).${name}() needs what startBurrow() returns.`);
}

/** For `expect.extend` of Vitest, Jest, Playwright and others of their kind. */
export const matchers: {
  toHaveCaptured: typeof toHaveCaptured;
  toHaveCapturedInOrder: typeof toHaveCapturedInOrder;
} = { toHaveCaptured, toHaveCapturedInOrder };

import type { DemoScript, DemoSize } from './demo.contract.ts';
import { createRandom, seedOf } from './random.ts';
import { exceptionOf, liveOne, visitorsOf, type Story, type StoryIds } from './story.ts';
import { planArrivals, timelineTo } from './timeline.ts';

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Of the story, read ahead at a time. */
export const PERIOD_DAYS = 14;
/** Visitors whose year is read for that; more would take seconds. */
const MAX_VISITORS = 7_000;
/** Who come in that time for the first time. */
const NEWCOMERS = 400;
/** What comes so much later is a visit of its own: an invoice is paid days after it was sent. */
const VISIT_GAP_MS = 30 * MINUTE_MS;
/** Longer waits between two pages of a visitor are cut short. */
const MAX_GAP_MS = 30_000;
/** Of the time since the last look, so that a computer that has slept does not catch up on hours. */
const MAX_STEP_MS = 10_000;

const OUTAGE_MINUTES = 15;
/** So many times the usual visitors after some minutes, then fewer and fewer. */
const LAUNCH = { height: 8, riseMinutes: 5, halfLifeMinutes: 20 };

/** An event as it is sent, but for its time. */
type LiveEvent = Readonly<Record<string, unknown>> & {
  readonly properties: Readonly<Record<string, unknown>>;
};

/** The events of a visit, with milliseconds after its beginning. */
export type Visit = readonly { readonly offset: number; readonly event: LiveEvent }[];

export interface VisitOrder {
  story: Story;
  size: DemoSize;
  seed: number;
  /** Unix milliseconds: the story goes on from here. */
  from: number;
  ids: StoryIds;
}

/**
 * Reads the visits of the next two weeks of a story, in their order: of those who have been there before, and of others
 * for the first time; or only of such who come because of a launch. Yields after each visitor, so that requests get
 * their turn.
 */
export function* readVisits(
  { story, size, seed, from, ids }: VisitOrder,
  kind: 'usual' | 'launch',
): Generator<undefined, Visit[]> {
  const today = timelineTo(from);
  const timeline = { ...today, end: from + PERIOD_DAYS * DAY_MS, today: today.today + PERIOD_DAYS };
  const sessions = new Map<unknown, { time: number; event: LiveEvent }[]>();
  const take = (text: string): void => {
    const { timestamp, ...event } = JSON.parse(text) as LiveEvent & { timestamp: string };
    const time = Date.parse(timestamp);
    if (time < from) return;
    const id = event.properties['$session_id'];
    const events = sessions.get(id) ?? [];
    events.push({ time, event: event as LiveEvent });
    sessions.set(id, events);
  };
  if (kind === 'usual') {
    const count = visitorsOf(story, size);
    const arrivalOf = planArrivals(story.traffic, count, seed);
    const step = Math.ceil(count / MAX_VISITORS);
    for (let index = 0; index < count; index += step) {
      const arrival = arrivalOf(index);
      if (arrival.day > today.today) break;
      liveOne({ story, timeline, ids, take }, seedOf(seed, index), arrival);
      yield;
    }
  }
  const source = kind === 'launch' ? story.traffic.bursts[0]!.source : null;
  const other = seedOf(seed, from / 1000) + (kind === 'launch' ? 1 : 0);
  for (let index = 0; index < NEWCOMERS; index++) {
    const day = today.today + 1 + Math.floor((index * (PERIOD_DAYS - 1)) / NEWCOMERS);
    liveOne({ story, timeline, ids, take }, seedOf(other, index), { day, source });
    yield;
  }
  return [...sessions.values()]
    .flatMap(splitIntoVisits)
    .toSorted((a, b) => a.start - b.start)
    .map(({ visit }) => visit);
}

function splitIntoVisits(session: { time: number; event: LiveEvent }[]): { start: number; visit: Visit }[] {
  const visits: { start: number; visit: { offset: number; event: LiveEvent }[] }[] = [];
  let last = { time: -Infinity, offset: 0 };
  for (const { time, event } of session.toSorted((a, b) => a.time - b.time)) {
    const gap = time - last.time;
    if (gap > VISIT_GAP_MS) visits.push({ start: time, visit: [] });
    const offset = gap > VISIT_GAP_MS ? 0 : last.offset + Math.min(gap, MAX_GAP_MS);
    visits.at(-1)!.visit.push({ offset, event });
    last = { time, offset };
  }
  return visits;
}

export interface LiveOrder {
  eventsPerMinute: number;
  script: DemoScript;
  /** Unix milliseconds at which the script has its launch or outage. */
  at: number;
}

/** Plays visits at a rate. */
export interface LivePlayer {
  /** The events since the last call, as items of a batch. */
  take(now: number): string[];
  /** What has run out and is to be read. */
  wanted(): 'usual' | 'launch' | null;
  add(kind: 'usual' | 'launch', visits: readonly Visit[]): void;
}

interface RunningVisit {
  readonly start: number;
  readonly sessionId: string;
  readonly events: Visit;
  next: number;
  hasFailed: boolean;
}

/** A player whose first events are of `start`, in Unix milliseconds. The same seed plays the same. */
export function createLivePlayer(
  { eventsPerMinute, script, at }: LiveOrder,
  { start, seed }: { start: number; seed: number },
): LivePlayer {
  const random = createRandom(seedOf(seed, -2));
  const visits = { usual: [] as Visit[], launch: [] as Visit[] };
  /** Events that may begin by now, beyond those of the visits that have begun. */
  const credit = { usual: 0, launch: 0 };
  let running: RunningVisit[] = [];
  let last = start;
  let hasBegun = false;

  const isOutage = (time: number): boolean =>
    script === 'outage' && time >= at && time < at + OUTAGE_MINUTES * MINUTE_MS;

  /** Events of newcomers by the launch, as a multiple of the usual ones. */
  function launchAt(time: number): number {
    const minutes = (time - at) / MINUTE_MS;
    if (script !== 'launch' || minutes < 0) return 0;
    const { height, riseMinutes, halfLifeMinutes } = LAUNCH;
    if (minutes < riseMinutes) return ((height - 1) * minutes) / riseMinutes;
    return (height - 1) * 0.5 ** ((minutes - riseMinutes) / halfLifeMinutes);
  }

  function begin(kind: 'usual' | 'launch', from: number, to: number): void {
    while (credit[kind] > 0 && visits[kind].length > 0) {
      const events = visits[kind].shift()!;
      credit[kind] -= events.length;
      const begun = from + random.next() * (to - from);
      running.push({ start: begun, sessionId: random.uuidAt(begun), events, next: 0, hasFailed: false });
    }
  }

  /** Visits that began in the minute before, so that the rate is there from the first second. */
  function beginBefore(time: number): void {
    hasBegun = true;
    credit.usual += eventsPerMinute;
    begin('usual', time - MINUTE_MS, time);
    for (const visit of running)
      visit.next = visit.events.filter(({ offset }) => visit.start + offset <= time).length;
  }

  return {
    take(now) {
      if (!hasBegun && visits.usual.length > 0) beginBefore(last);
      const from = Math.max(last, now - MAX_STEP_MS);
      const usual = (eventsPerMinute * (now - from)) / MINUTE_MS;
      credit.usual += usual;
      credit.launch += usual * launchAt(now);
      begin('usual', from, now);
      begin('launch', from, now);
      last = now;
      const due: { time: number; text: string }[] = [];
      for (const visit of running) {
        for (; visit.next < visit.events.length; visit.next++) {
          const { offset, event } = visit.events[visit.next]!;
          const time = visit.start + offset;
          if (time > now) break;
          // During an outage a page still opens, and its request fails.
          if (visit.hasFailed || (isOutage(time) && visit.next > 0)) {
            if (!visit.hasFailed) due.push({ time, text: textOf(failureOf(event), time, visit.sessionId) });
            visit.hasFailed = true;
          } else due.push({ time, text: textOf(event, time, visit.sessionId) });
        }
      }
      running = running.filter(({ next, events }) => next < events.length);
      return due.toSorted((a, b) => a.time - b.time).map(({ text }) => text);
    },
    wanted: () =>
      visits.usual.length === 0
        ? 'usual'
        : script === 'launch' && visits.launch.length === 0
          ? 'launch'
          : null,
    add: (kind, more) => void visits[kind].push(...more),
  };
}

const OUTAGE = exceptionOf('ApiError', '503 Service Unavailable', {
  file: 'api/client.ts',
  fn: 'request',
  line: 88,
});

/** A failed request with what every event of its visitor has; of what would have happened nothing is left. */
function failureOf({ properties, ...event }: LiveEvent): LiveEvent {
  const common = Object.entries(properties).filter(
    ([name]) => name.startsWith('$') && !CHANGES.includes(name),
  );
  return { ...event, event: '$exception', properties: { ...Object.fromEntries(common), ...OUTAGE } };
}

const CHANGES = ['$set', '$set_once', '$anon_distinct_id', '$group_type', '$group_key', '$group_set'];

const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** The item of a batch, with no moment later than its own. */
function textOf(event: LiveEvent, time: number, sessionId: string): string {
  const timestamp = new Date(time).toISOString();
  const properties = { ...event.properties, $session_id: sessionId };
  return JSON.stringify({ ...event, timestamp, properties }, (_key, value: unknown) =>
    typeof value === 'string' && MOMENT.test(value) && value > timestamp ? timestamp : value,
  );
}

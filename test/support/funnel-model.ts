/**
 * Funnels by brute force, in plain TypeScript over lists, by the words of the contract (9.9.1): no join, no window function, nothing of
 * the engine. Times are whole seconds.
 */

export interface ModelEvent {
  who: string;
  event: string;
  /** Seconds since a moment that all share. */
  at: number;
  plan?: string | undefined;
}

export interface ModelFunnel {
  order: 'ordered' | 'strict' | 'unordered';
  steps: readonly { event: string | null; optional?: boolean }[];
  exclusions: readonly { event: string; from: number; to: number }[];
  /** Seconds. */
  window: number;
  /** The property plan keeps the value of the first step. */
  holdsPlan: boolean;
  attribution: 'none' | 'first_touch' | 'last_touch' | 'all_events' | number;
}

/** When each step was taken; null: not. Of an attribution to a step also the plan it was taken with. */
export interface ModelAttempt {
  start: number;
  times: (number | null)[];
  plan: string | null;
}

/** The counted attempt of a person, with the value of the breakdown. */
export interface ModelOutcome {
  who: string;
  value: string;
  times: (number | null)[];
}

export const NONE = '$$_posthog_breakdown_null_$$';

/**
 * All attempts of one person, one for each event that can start it; with `value`, only events with that value are
 * steps, while any other event still breaks a strict order or excludes.
 */
export function attemptsOfOne(
  events: readonly ModelEvent[],
  funnel: ModelFunnel,
  value: string | null = null,
): ModelAttempt[] {
  const fits = (event: ModelEvent, step: number): boolean =>
    (value === null || (event.plan ?? NONE) === value) &&
    (funnel.steps[step]!.event === null || funnel.steps[step]!.event === event.event);
  const starts = events.filter((event) =>
    funnel.order === 'unordered' ? funnel.steps.some((_, step) => fits(event, step)) : fits(event, 0),
  );
  return starts
    .map((start) => {
      const may = (event: ModelEvent): boolean =>
        event.at - start.at <= funnel.window &&
        (!funnel.holdsPlan || (event.plan !== undefined && event.plan === start.plan));
      const first = (step: number, from: (at: number) => boolean): ModelEvent[] => {
        const found = events.filter((event) => fits(event, step) && from(event.at) && may(event));
        const at = Math.min(...found.map((event) => event.at));
        return found.filter((event) => event.at === at);
      };
      return { start, times: timesOf(start, events, funnel, first) };
    })
    .map(({ start, times }) => ({
      start: start.at,
      times: times.map((found) => found[0]?.at ?? null),
      plan: planOf(start, times, events, funnel, fits),
    }))
    .filter(({ times, start }) => !isVoid(times, start, events, funnel));
}

type First = (step: number, from: (at: number) => boolean) => ModelEvent[];

function timesOf(
  start: ModelEvent,
  events: readonly ModelEvent[],
  { order, steps }: ModelFunnel,
  first: First,
): ModelEvent[][] {
  if (order === 'unordered') {
    const taken = steps
      .map((_, step) => first(step, (at) => at >= start.at))
      .filter(({ length }) => length > 0);
    taken.sort(([a], [b]) => a!.at - b!.at);
    if (taken.length === 0) taken.push([start]);
    return steps.map((_, at) => taken[at] ?? []);
  }
  if (order === 'strict') {
    const moments = [...new Set(events.map(({ at }) => at))].sort((a, b) => a - b);
    const place = moments.indexOf(start.at);
    const taken: ModelEvent[][] = [[start]];
    for (let step = 1; step < steps.length; step += 1) {
      const before = taken[step - 1]!.length > 0;
      taken.push(before ? first(step, (at) => at === moments[place + step]) : []);
    }
    return taken;
  }
  return inOrder(start, steps, first);
}

function inOrder(start: ModelEvent, steps: ModelFunnel['steps'], first: First): ModelEvent[][] {
  const taken: ModelEvent[][] = steps.map((_, step) => (step === 0 ? [start] : []));
  for (let step = 1; step < steps.length; step += 1) {
    if (steps[step]!.optional !== true) {
      const required = steps.findLastIndex((one, place) => place < step && one.optional !== true);
      const [since] = taken[required]!;
      taken[step] = since === undefined ? [] : first(step, (at) => at > since.at);
    }
  }
  for (let step = 1; step < steps.length; step += 1) {
    const before = taken.slice(0, step).findLast(({ length }) => length > 0)![0]!;
    if (steps[step]!.optional !== true) continue;
    const required = steps.findLastIndex((one, place) => place < step && one.optional !== true);
    const next = steps.findIndex((one, place) => place > step && one.optional !== true);
    if (taken[required]!.length === 0) continue;
    const end = taken[next]?.[0]?.at ?? Infinity;
    const found = first(step, (at) => at > before.at);
    taken[step] = found.length > 0 && found[0]!.at < end ? found : [];
  }
  return taken;
}

/** The plan of the event that takes the step of the attribution: of several simultaneous ones, the least. */
function planOf(
  start: ModelEvent,
  times: ModelEvent[][],
  events: readonly ModelEvent[],
  { attribution, order, window, holdsPlan }: ModelFunnel,
  fits: (event: ModelEvent, step: number) => boolean,
): string | null {
  if (typeof attribution !== 'number') return null;
  const may = (event: ModelEvent): boolean =>
    fits(event, attribution) && (!holdsPlan || event.plan === start.plan);
  const inWindow = (event: ModelEvent): boolean => event.at >= start.at && event.at - start.at <= window;
  const at =
    order === 'unordered'
      ? Math.min(...events.filter((event) => may(event) && inWindow(event)).map((event) => event.at))
      : times[attribution]![0]?.at;
  const plans = events.filter((event) => may(event) && event.at === at).map(({ plan }) => plan ?? NONE);
  return plans.sort()[0] ?? null;
}

function isVoid(
  times: readonly (number | null)[],
  start: number,
  events: readonly ModelEvent[],
  { exclusions, window }: ModelFunnel,
): boolean {
  return exclusions.some(({ event, from, to }) => {
    const since = times[from]!;
    if (since === null) return false;
    const end = times.slice(to).find((time) => time !== null) ?? null;
    return events.some(
      (one) =>
        one.event === event && one.at > since && (end === null ? one.at - start <= window : one.at < end),
    );
  });
}

/** The better of two attempts comes first. */
function byRank({ steps }: ModelFunnel): (a: ModelAttempt, b: ModelAttempt) => number {
  const taken = ({ times }: ModelAttempt, optional: boolean): number =>
    times.filter((time, step) => time !== null && (steps[step]!.optional === true) === optional).length;
  const last = ({ times }: ModelAttempt): number => Math.max(...times.map((time) => time ?? -Infinity));
  return (a, b) =>
    taken(b, false) - taken(a, false) ||
    taken(b, true) - taken(a, true) ||
    last(a) - last(b) ||
    b.start - a.start;
}

/** The attempts that count, by person, or by person and value where all events of an attempt have one. */
export function outcomesOf(events: readonly ModelEvent[], funnel: ModelFunnel): ModelOutcome[] {
  return peopleOf(events).flatMap((own) => {
    const { who } = own[0]!;
    const values =
      funnel.attribution === 'all_events' ? [...new Set(own.map(({ plan }) => plan ?? NONE))] : [null];
    return values.flatMap((value) => {
      const [best] = attemptsOfOne(own, funnel, value).sort(byRank(funnel));
      return best === undefined
        ? []
        : [{ who, value: value ?? valueOf(own, best, funnel), times: best.times }];
    });
  });
}

/** The events of each person. */
export function peopleOf(events: readonly ModelEvent[]): ModelEvent[][] {
  return [...new Set(events.map(({ who }) => who))].map((who) => events.filter((event) => event.who === who));
}

/** The value that a person's attempt counts for. */
export function valueOf(
  own: readonly ModelEvent[],
  attempt: ModelAttempt,
  { attribution, steps }: ModelFunnel,
): string {
  if (typeof attribution === 'number') return attempt.plan ?? NONE;
  const touching = own.filter(
    ({ event, plan }) =>
      plan !== undefined && steps.some((step) => step.event === null || step.event === event),
  );
  touching.sort((a, b) => a.at - b.at || (a.plan! < b.plan! ? -1 : 1));
  const touch = attribution === 'last_touch' ? touching.at(-1) : touching[0];
  return attribution === 'none' ? '' : (touch?.plan ?? NONE);
}

/** What a funnel of steps answers of a value: how many took each step, and the seconds since the step before. */
export function stepsOf(
  outcomes: readonly ModelOutcome[],
  { steps }: ModelFunnel,
): { count: number; gaps: number[] }[] {
  return steps.map((_, step) => {
    const taken = outcomes.filter(({ times }) => times[step] !== null);
    const gaps = taken.map(({ times }) => {
      const before = times.slice(0, step).findLast((time) => time !== null);
      return times[step]! - (before ?? times[step]!);
    });
    return { count: taken.length, gaps: step === 0 ? [] : gaps };
  });
}

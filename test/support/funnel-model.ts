/**
 * Funnels by brute force, in plain TypeScript over lists, by the words of the contract (9.9.1, amendment A-6): it goes through the
 * events of a person once, and remembers for each step the attempt that is there. No join, no window function, nothing of
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

/** The counted attempt of a person, with the value of the breakdown. */
export interface ModelOutcome {
  who: string;
  value: string;
  times: (number | null)[];
}

/**
 * Whether different events of one moment fit steps that can share an event. Which of them takes which step then hangs on the
 * order in which they are stored, and no number of the contract does.
 */
export function hasTiesOfShared(events: readonly ModelEvent[], { steps, holdsPlan }: ModelFunnel): boolean {
  const isOther = (a: ModelEvent, b: ModelEvent): boolean =>
    a.event !== b.event || (holdsPlan && a.plan !== b.plan);
  const names = steps.map(({ event }) => event);
  if (new Set(names).size === names.length && !names.includes(null)) return false;
  return peopleOf(events).some((own) =>
    own.some((one) => own.some((other) => one.at === other.at && isOther(one, other))),
  );
}

/** What a missing value of the breakdown is called. */
export const NONE = '';

/** An attempt as far as it has come. */
interface Attempt {
  start: number;
  times: (number | null)[];
  used: readonly ModelEvent[];
  isVoid: boolean;
}

type Fits = (event: ModelEvent, step: number) => boolean;

/** Narrows which events may take a step, and which may begin an attempt. */
interface Narrowed {
  mayTake?: Fits;
  mayBegin?: (event: ModelEvent) => boolean;
}

/** The attempt of one person that counts; null: none, or one that an exclusion voids. */
export function outcomeOf(
  events: readonly ModelEvent[],
  funnel: ModelFunnel,
  { mayTake = () => true, mayBegin = () => true }: Narrowed = {},
): (number | null)[] | null {
  const { steps, holdsPlan } = funnel;
  const plans = holdsPlan ? [...new Set(events.map(({ plan }) => plan))] : [undefined];
  const found = plans.flatMap((plan) => {
    const fits: Fits = (event, step) =>
      (steps[step]!.event === null || steps[step]!.event === event.event) &&
      (!holdsPlan || event.plan === plan) &&
      (!holdsPlan || plan !== undefined || (step === 0 && funnel.order !== 'unordered')) &&
      mayTake(event, step);
    const walk = funnel.order === 'unordered' ? anyOrder : inOrder;
    const best = walk(
      events,
      funnel,
      fits,
      (event) => mayBegin(event) && (!holdsPlan || event.plan === plan),
    );
    return best === null ? [] : [best];
  });
  const [best] = found.sort(byRank(funnel));
  return best === undefined || best.isVoid ? null : best.times;
}

/** In order, or (strict) without other events between. */
function inOrder(
  events: readonly ModelEvent[],
  funnel: ModelFunnel,
  fits: Fits,
  mayBegin: (event: ModelEvent) => boolean,
): Attempt | null {
  const { steps, exclusions, window, order } = funnel;
  const standing: (Attempt | null)[] = steps.map(() => null);
  let best: Attempt | null = null;
  const level = ({ times }: Attempt): number => times.findLastIndex((time) => time !== null);
  const stepsOfEvent = (event: ModelEvent): number[] =>
    steps.flatMap((_, step) => (fits(event, step) ? [step] : []));
  /** Steps behind which an event is excluded. */
  const excludedAfter = (event: ModelEvent): number[] =>
    steps.flatMap((_, step) =>
      exclusions.some(({ event: name, from, to }) => name === event.event && step >= from && step < to)
        ? [step]
        : [],
    );
  const before = (step: number, at: number): Attempt | null => {
    if (step === 0) return { start: at, times: steps.map(() => null), used: [], isVoid: false };
    for (let place = step - 1; place >= 0; place -= 1) {
      const attempt = standing[place]!;
      if (attempt !== null && at - attempt.start <= window) return attempt;
      if (steps[place]!.optional !== true) break;
    }
    return null;
  };
  const exclude = (step: number, at: number): void => {
    const attempt = standing[step]!;
    if (attempt === null || at - attempt.start > window || standing[step + 1]?.start === attempt.start)
      return;
    standing[step] = { ...attempt, isVoid: true };
    if (best !== null && level(best) === step && at - best.start <= window) best = { ...best, isVoid: true };
  };
  const take = (step: number, event: ModelEvent, isMixed: boolean): void => {
    const attempt = before(step, event.at);
    if (step === 0 && !mayBegin(event)) return;
    if (attempt === null || standing[step]?.start === attempt.start) return;
    if (isMixed && attempt.used.includes(event)) return;
    const next = {
      ...attempt,
      times: attempt.times.map((time, place) => (place === step ? event.at : time)),
      used: [...attempt.used, event],
    };
    if (!attempt.isVoid) standing[step] = next;
    const reached = best === null ? -1 : level(best);
    if (step > reached || (step === reached && best!.isVoid)) best = next;
  };
  for (const at of [...new Set(events.map((event) => event.at))].sort((a, b) => a - b)) {
    const own = events.filter(
      (event) =>
        event.at === at &&
        (order === 'strict' || stepsOfEvent(event).length > 0 || excludedAfter(event).length > 0),
    );
    const marks = new Set(own.map((event) => JSON.stringify([stepsOfEvent(event), excludedAfter(event)])));
    if (marks.size > 1) {
      // What is excluded, or would break a strict order, does not matter at a moment of different events.
      for (const step of steps.keys()) {
        for (const event of own) if (fits(event, step)) take(step, event, true);
      }
    } else {
      for (const event of own) {
        for (const step of excludedAfter(event)) exclude(step, at);
        for (const step of stepsOfEvent(event).toReversed()) take(step, event, false);
        if (order !== 'strict') continue;
        for (const step of steps.keys()) if (!fits(event, step)) standing[step] = null;
      }
    }
    if (standing[steps.length - 1] !== null) break;
  }
  return best;
}

/** In any order: how many of the steps are taken in the window that begins with an event. */
function anyOrder(
  events: readonly ModelEvent[],
  funnel: ModelFunnel,
  fits: Fits,
  mayBegin: (event: ModelEvent) => boolean,
): Attempt | null {
  const { steps, exclusions, window } = funnel;
  const sorted = events.toSorted((a, b) => a.at - b.at);
  // The event that an attempt begins with takes a step, even if it has no value to be held.
  const begins = (event: ModelEvent): boolean =>
    mayBegin(event) && steps.some((step) => step.event === null || step.event === event.event);
  const found = sorted.filter(begins).map((first): Attempt => {
    const later = sorted.filter(({ at }) => at >= first.at && at - first.at <= window);
    const used: ModelEvent[] = [];
    for (const step of steps.keys()) {
      const event = later.find((one) => fits(one, step) && !used.includes(one));
      if (event !== undefined) used.push(event);
    }
    const times = used.length === 0 ? [first.at] : used.map(({ at }) => at).sort((a, b) => a - b);
    const end = times.length === steps.length ? times.at(-1)! : Infinity;
    const isVoid = later.some(
      ({ event, at }) => at > first.at && at < end && exclusions.some((one) => one.event === event),
    );
    return {
      start: first.at,
      times: steps.map((_, place) => times[place] ?? null),
      used: [first],
      isVoid,
    };
  });
  const [best] = found.filter(({ isVoid }) => !isVoid).sort(byRank(funnel));
  return best ?? null;
}

/** The better of two attempts comes first. */
function byRank({ order }: ModelFunnel): (a: Attempt, b: Attempt) => number {
  const taken = ({ times }: Attempt): number => times.filter((time) => time !== null).length;
  const last = ({ times }: Attempt): number => Math.max(...times.map((time) => time ?? -Infinity));
  if (order === 'unordered') return (a, b) => taken(b) - taken(a) || a.start - b.start;
  return (a, b) =>
    taken(b) - taken(a) || Number(a.isVoid) - Number(b.isVoid) || last(a) - last(b) || b.start - a.start;
}

/** The attempts that count, by person and, where a person can have several, value of the breakdown. */
export function outcomesOf(events: readonly ModelEvent[], funnel: ModelFunnel): ModelOutcome[] {
  return peopleOf(events).flatMap((own) => {
    const { who } = own[0]!;
    return valuesOf(own, funnel).flatMap((value) => {
      const isOfValue = (event: ModelEvent): boolean => planOf(event) === value;
      const { attribution, order } = funnel;
      const times = outcomeOf(
        attribution === 'all_events' ? own.filter(isOfValue) : own,
        funnel,
        order === 'unordered' && typeof attribution === 'number'
          ? { mayBegin: isOfValue }
          : { mayTake: (event, step) => step !== attribution || isOfValue(event) },
      );
      return times === null ? [] : [{ who, value, times }];
    });
  });
}

function planOf({ plan }: ModelEvent): string {
  return plan ?? NONE;
}

/** The events of each person. */
export function peopleOf(events: readonly ModelEvent[]): ModelEvent[][] {
  return [...new Set(events.map(({ who }) => who))].map((who) => events.filter((event) => event.who === who));
}

/** The values for which a person's attempts count. */
function valuesOf(
  own: readonly ModelEvent[],
  { attribution, steps, exclusions, order, holdsPlan }: ModelFunnel,
): string[] {
  if (attribution === 'none') return [NONE];
  const isOfStep = (event: ModelEvent, step: number): boolean =>
    steps[step]!.event === null || steps[step]!.event === event.event;
  if (attribution === 'all_events') return [...new Set(own.map(planOf))];
  if (typeof attribution === 'number') {
    if (order === 'unordered') return [...new Set(own.map(planOf))];
    const mayTake = ({ plan }: ModelEvent): boolean => !holdsPlan || attribution === 0 || plan !== undefined;
    const had = own.filter((event) => isOfStep(event, attribution) && mayTake(event));
    return [...new Set(had.map(planOf))];
  }
  const touching = own.filter(
    (event) =>
      event.plan !== undefined &&
      (order === 'strict' ||
        steps.some((_, step) => isOfStep(event, step)) ||
        exclusions.some((one) => one.event === event.event)),
  );
  touching.sort((a, b) => a.at - b.at || (a.plan! < b.plan! ? -1 : 1));
  const touch = attribution === 'last_touch' ? touching.at(-1) : touching[0];
  return [touch?.plan ?? NONE];
}

/** What a funnel of steps answers of a value: how many took each step, and the seconds since the step before, where there were any. */
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
    return { count: taken.length, gaps: step === 0 ? [] : gaps.filter((gap) => gap > 0) };
  });
}

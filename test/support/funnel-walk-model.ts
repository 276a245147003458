/** An event of a walk: its steps from 1, negative ones are exclusions before that step. */
export interface WalkEvent {
  readonly at: number;
  readonly interval: number;
  readonly uuid: string;
  readonly breakdown: string;
  readonly steps: readonly number[];
}

export interface Walk {
  readonly steps: number;
  readonly window: number;
  readonly attribution: string;
  readonly order: 'ordered' | 'strict' | 'unordered';
  readonly values: readonly string[];
  readonly optional: readonly number[];
  readonly events: readonly WalkEvent[];
}

export type Reached = [step: number, breakdown: string, timings: number[], uuids: string[][], bits: number];
export type Entered = [interval: number, success: number, breakdown: string, uuid: string];

/** An attempt: when it began, which events it took, whether it is excluded. */
interface Attempt {
  readonly begin: number;
  readonly isExcluded: boolean;
  readonly path: readonly WalkEvent[];
  readonly bits: number;
}

const attributedTo = (walk: Walk): number | null =>
  walk.attribution.startsWith('step_') ? Number(walk.attribution.slice(5)) : null;

const eventsOf = (walk: Walk, value: string): readonly WalkEvent[] =>
  walk.events.filter(({ breakdown }) => walk.attribution !== 'all_events' || breakdown === value);

/** Events that follow each other at one moment. */
function moments(events: readonly WalkEvent[]): WalkEvent[][] {
  const all: WalkEvent[][] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last?.[0]!.at === event.at) last.push(event);
    else all.push([event]);
  }
  return all;
}

/** How far a person came in a funnel whose steps follow each other: each step has one attempt, the last to come there. */
class OrderedWalk {
  readonly #walk: Walk;
  readonly #value: string;
  readonly #standing = new Map<number, Attempt>();
  readonly #seen: WalkEvent[][];
  #best: Attempt & { step: number } = { step: 0, begin: 0, isExcluded: false, path: [], bits: 0 };

  constructor(walk: Walk, value: string) {
    this.#walk = walk;
    this.#value = value;
    this.#seen = Array.from({ length: walk.steps }, () => []);
  }

  run(): Reached {
    for (const moment of moments(eventsOf(this.#walk, this.#value))) {
      this.#standing.set(0, { begin: moment[0]!.at, isExcluded: false, path: [], bits: 0 });
      const isMixed = moment.some(({ steps }) => String(steps) !== String(moment[0]!.steps));
      if (isMixed) this.#mixed(moment);
      else for (const event of moment) this.#single(event);
      if (this.#standing.has(this.#walk.steps)) break;
    }
    return this.#result();
  }

  #single(event: WalkEvent): void {
    for (const step of event.steps.toReversed()) {
      if (step < 0) this.#exclude(-step, event);
      else this.#take(step, event, false);
    }
    if (this.#walk.order !== 'strict') return;
    for (let step = 1; step <= this.#walk.steps; step += 1)
      if (!event.steps.includes(step)) this.#standing.delete(step);
  }

  /** Different events at one moment: in the order of the steps, whatever theirs is; nothing is excluded or broken. */
  #mixed(moment: readonly WalkEvent[]): void {
    for (let step = 1; step <= this.#walk.steps; step += 1)
      for (const event of moment) if (event.steps.includes(step)) this.#take(step, event, true);
  }

  /** The step before, or an earlier one where all in between may be left out, with an attempt that is in its window. */
  #from(step: number, at: number): number | null {
    for (let from = step - 1; from >= 0; from -= 1) {
      const attempt = this.#standing.get(from);
      if (attempt !== undefined && at - attempt.begin <= this.#walk.window)
        return this.#standing.get(step)?.begin === attempt.begin ? null : from;
      if (!this.#walk.optional.includes(from)) return null;
    }
    return null;
  }

  #exclude(step: number, { at }: WalkEvent): void {
    const from = this.#from(step, at);
    if (from === null || from === 0) return;
    const attempt = this.#standing.get(from)!;
    if (attempt.isExcluded) return;
    this.#standing.set(from, { ...attempt, isExcluded: true });
    if (this.#best.step === from && at - this.#best.begin <= this.#walk.window)
      this.#best = { ...this.#best, isExcluded: true };
  }

  #take(step: number, event: WalkEvent, isMixed: boolean): void {
    const from = this.#from(step, event.at);
    if (from === null) return;
    if (from === attributedTo(this.#walk) && event.breakdown !== this.#value) return;
    const attempt = this.#standing.get(from)!;
    if (isMixed && attempt.path.includes(event)) return;
    const next: Attempt = {
      ...attempt,
      path: this.#walk.optional.includes(step) ? attempt.path : [...attempt.path, event],
      bits: attempt.bits + 2 ** (step - 1),
    };
    if (!attempt.isExcluded) {
      this.#standing.set(step, next);
      if (this.#seen[from]!.length < 9) this.#seen[from]!.push(event);
    }
    if (step > this.#best.step || (step === this.#best.step && this.#best.isExcluded))
      this.#best = { ...next, step };
  }

  #result(): Reached {
    const { step, isExcluded, path, bits } = this.#best;
    if (isExcluded) return [-1, this.#value, [], [], 0];
    const count = step - this.#walk.optional.filter((one) => one <= step).length;
    const uuids = this.#seen.map((seen, at) => [...(at < count ? [path[at]!] : []), ...seen]);
    return [
      count - 1,
      this.#value,
      path.slice(1).map(({ at }, before) => at - path[before]!.at),
      uuids.map((events) => events.map(({ uuid }) => uuid)),
      bits,
    ];
  }
}

/** Steps that wait for each other: events leave when their window is over, and the oldest of them once all are there. */
function walkUnordered(
  walk: Walk,
  value: string,
  see: {
    leaves(oldest: WalkEvent, queues: readonly WalkEvent[][], event: WalkEvent): void;
    ends(queues: readonly WalkEvent[][]): boolean;
    empties: boolean;
  },
): void {
  const events = eventsOf(walk, value);
  let queues: WalkEvent[][] = Array.from({ length: walk.steps }, () => []);
  const filled = (): number => queues.filter((queue) => queue.length > 0).length;
  const leave = (event: WalkEvent, isLast: boolean): void => {
    while (filled() > 0) {
      const oldest = queues
        .filter((queue) => queue.length > 0)
        .reduce((a, b) => (b[0]!.at < a[0]!.at ? b : a));
      const isOver = oldest[0]!.at + walk.window < event.at;
      if (!isLast && !isOver && filled() < walk.steps) return;
      see.leaves(oldest[0]!, queues, event);
      oldest.shift();
    }
  };
  for (const event of events) {
    leave(event, false);
    const isExclusion = event.steps.every((step) => step < 0);
    if (isExclusion) queues = queues.map(() => []);
    else if (filled() !== attributedTo(walk) || event.breakdown === value) {
      const last = (step: number): number => queues[step - 1]!.at(-1)?.at ?? 0;
      const step = event.steps.reduce((a, b) => (last(b) < last(a) ? b : a));
      queues[step - 1]!.push(event);
    }
    if (see.ends(queues)) return;
  }
  if (see.empties && events.length > 0) leave(events.at(-1)!, true);
}

function unordered(walk: Walk, value: string): Reached {
  let best: WalkEvent[] = [];
  const look = (queues: readonly WalkEvent[][]): void => {
    const firsts = queues.flatMap((queue) => queue.slice(0, 1)).toSorted((a, b) => a.at - b.at);
    if (firsts.length > best.length) best = firsts;
  };
  let last: readonly WalkEvent[][] = [];
  walkUnordered(walk, value, {
    leaves: (_, queues) => look(queues),
    ends(queues) {
      last = queues;
      return best.length === walk.steps;
    },
    empties: false,
  });
  if (best.length < walk.steps) look(last);
  return [
    best.length - 1,
    value,
    best.slice(1).map(({ at }, before) => at - best[before]!.at),
    best.map(({ uuid }) => [uuid]),
    2 ** best.length - 1,
  ];
}

/** What the function says for each breakdown value. */
export function modelFunnel(walk: Walk): Reached[] {
  return walk.values.map((value) =>
    walk.order === 'unordered' ? unordered(walk, value) : new OrderedWalk(walk, value).run(),
  );
}

interface Interval {
  begins: (number | null)[];
  excluded: boolean[];
  best: { step: number; at: number; event: WalkEvent; excluded: 'no' | 'partly' | 'fully' };
}

function orderedTrends(walk: Walk, value: string, [from, to]: readonly [number, number]): Entered[] {
  const intervals = new Map<number, Interval>();
  const won = new Map<number, WalkEvent>();
  const enter = (event: WalkEvent): void => {
    if (won.has(event.interval)) return;
    const interval = intervals.get(event.interval);
    if (interval === undefined || (interval.best.step === 1 && interval.best.excluded !== 'no')) {
      intervals.set(event.interval, {
        begins: [null, event.at],
        excluded: [],
        best: { step: 1, at: event.at, event, excluded: 'no' },
      });
      return;
    }
    interval.begins[1] = event.at;
    interval.excluded[1] = false;
  };
  const move = (interval: Interval, start: number, event: WalkEvent, signed: number): void => {
    const step = Math.abs(signed);
    const begin = interval.begins[step - 1] ?? null;
    if (begin === null || event.at - begin > walk.window || interval.begins[step] === begin) return;
    const isExcluded = interval.excluded[step - 1] === true;
    const { best } = interval;
    if (signed < 0) {
      if (isExcluded) return;
      interval.excluded[step - 1] = true;
      if (best.step === step - 1 && event.at - best.at <= walk.window) best.excluded = 'partly';
      return;
    }
    if (step - 1 === attributedTo(walk) && event.breakdown !== value) return;
    if (!isExcluded) {
      interval.begins[step] = begin;
      interval.excluded[step] = false;
    }
    if ((interval.begins[to] ?? null) !== null) {
      won.set(start, event);
      intervals.delete(start);
    } else if (step > best.step || (step === best.step && best.excluded === 'partly')) {
      interval.best = { step, at: event.at, event, excluded: isExcluded ? 'fully' : 'no' };
    }
  };
  for (const event of eventsOf(walk, value)) {
    for (const step of event.steps.toReversed()) {
      if (step === 1) {
        if (attributedTo(walk) !== 0 || event.breakdown === value) enter(event);
      } else for (const [start, interval] of Array.from(intervals)) move(interval, start, event, step);
    }
    if (walk.order !== 'strict') continue;
    for (const { begins } of intervals.values())
      for (const step of begins.keys()) if (!event.steps.includes(step)) begins[step] = null;
  }
  const result: Entered[] = Array.from(won, ([start, { uuid }]) => [start, 1, value, uuid]);
  const isVoid = Array.from(intervals.values()).some(({ best }) => best.excluded === 'fully');
  for (const [start, { best }] of intervals)
    if (!isVoid && best.step >= from && best.excluded !== 'partly')
      result.push([start, -1, value, best.event.uuid]);
  return result;
}

function unorderedTrends(walk: Walk, value: string, [from, to]: readonly [number, number]): Entered[] {
  const most = new Map<number, { steps: number; event: WalkEvent }>();
  walkUnordered(walk, value, {
    leaves(oldest, queues, event) {
      const steps = queues.filter((queue) => queue.length > 0).length;
      if (steps > (most.get(oldest.interval)?.steps ?? 0)) most.set(oldest.interval, { steps, event });
    },
    ends: () => false,
    empties: true,
  });
  return Array.from(most).flatMap(([start, { steps, event }]): Entered[] =>
    steps < from ? [] : [[start, steps >= to ? 1 : -1, value, event.uuid]],
  );
}

/** What the function of trends says for each breakdown value, the intervals in their order. */
export function modelTrends(walk: Walk, span: readonly [from: number, to: number]): Entered[] {
  const run = walk.order === 'unordered' ? unorderedTrends : orderedTrends;
  return walk.values.flatMap((value) => run(walk, value, span).toSorted((a, b) => a[0] - b[0]));
}

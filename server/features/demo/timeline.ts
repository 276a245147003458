import { createRandom, seedOf } from './random.ts';
import type { Source } from './world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** 1 January 1970 was a Thursday: days from the Monday before it. */
const EPOCH_WEEKDAY = 3;
/** A year and the current week. Day 0 is a Monday, so that a day of the story is always the same weekday. */
const STORY_DAYS = 371;

/** The days of a story, whose last week is the current one. */
export interface Timeline {
  /** Unix milliseconds of the beginning of a day; `hour` may be more than 24. */
  at(day: number, hour?: number): number;
  /** Nothing happens from here on: now. */
  readonly end: number;
  /** The day that is today. */
  readonly today: number;
}

export function timelineTo(now: number): Timeline {
  const today = Math.floor(now / DAY_MS);
  const weekday = (today + EPOCH_WEEKDAY) % 7;
  const first = today - weekday - 364;
  return {
    at: (day, hour = 0) => (first + day) * DAY_MS + hour * HOUR_MS,
    end: now,
    today: 364 + weekday,
  };
}

/** More visitors for some days: most on the first, half of that after so many days. */
export interface Burst {
  readonly day: number;
  /** Visitors of the first day, as a multiple of a usual one. */
  readonly height: number;
  readonly halfLife: number;
  readonly source: Source;
}

export interface Traffic {
  /** From Monday on, compared to the average. */
  readonly week: readonly number[];
  /** By so much there are more visitors after a month. */
  readonly monthlyGrowth: number;
  readonly bursts: readonly Burst[];
}

export interface Arrival {
  readonly day: number;
  /** Of the burst that the visitor belongs to. */
  readonly source: Source | null;
}

/**
 * The day and the cause of each of `count` arrivals, in order of time. They are spread evenly over the weights of days, not
 * drawn, so that the shape of a small story is that of a large one.
 */
export function planArrivals(traffic: Traffic, count: number, seed: number): (index: number) => Arrival {
  const random = createRandom(seedOf(seed, -1));
  const parts: { until: number; arrival: Arrival }[] = [];
  let sum = 0;
  const add = (weight: number, arrival: Arrival): void =>
    void parts.push({ until: (sum += weight), arrival });
  for (let day = 0; day < STORY_DAYS; day++) {
    const usual = traffic.monthlyGrowth ** (day / 30) * traffic.week[day % 7]!;
    add(usual * random.around(1, 1.06), { day, source: null });
    for (const { day: from, height, halfLife, source } of traffic.bursts) {
      const extra = day < from ? 0 : (height - 1) * usual * 0.5 ** ((day - from) / halfLife);
      if (extra > usual / 50) add(extra, { day, source });
    }
  }
  return (index) => {
    const place = ((index + 0.5) / count) * sum;
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle]!.until < place) low = middle + 1;
      else high = middle;
    }
    return parts[low]!.arrival;
  };
}

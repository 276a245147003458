import { addDays } from '../../ui/dates/calendar-days.ts';

/** An event that fits. */
export interface MatchingEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  person_id: string | null;
  timestamp: string;
  properties: Record<string, unknown>;
}

/** The events of the last 30 days that fit: how many, of how many persons, how many each day, and the newest. */
export interface Matches {
  count: number;
  persons: number;
  /** The oldest day first, each `2026-11-22`; days without events too. */
  days: { day: string; count: number }[];
  latest: MatchingEvent[];
}

/** Whole days that are looked at besides today, as by an insight of the last 30 days. */
const DAYS = 30;

/** The first day that is looked at. */
export function firstDayOf(today: string): string {
  return addDays(today, -DAYS);
}

/** What the server answered, put together; `today` is the last day. */
export function matchesOf(
  answers: { totals: readonly unknown[]; days: readonly unknown[][]; latest: readonly unknown[][] },
  today: string,
): Matches {
  const counts = new Map(answers.days.map(([day, count]) => [String(day).slice(0, 10), Number(count)]));
  return {
    count: Number(answers.totals[0] ?? 0),
    persons: Number(answers.totals[1] ?? 0),
    days: Array.from({ length: DAYS + 1 }, (_, index) => {
      const day = addDays(firstDayOf(today), index);
      return { day, count: counts.get(day) ?? 0 };
    }),
    latest: answers.latest.map(([event]) => event as MatchingEvent),
  };
}

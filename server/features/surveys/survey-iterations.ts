import type { SurveyFields } from './survey-row.ts';

/** When a survey comes, and comes again. */
export interface SurveyIterations {
  /** ISO 8601, UTC, as the other times. */
  readonly startDates: readonly string[];
  /** From 1: the one that has begun last, or else the first. */
  readonly current: number;
  readonly currentStart: string;
}

const DAY_MS = 86_400_000;

/** The iterations of a survey that comes again, or null; `now` in Unix milliseconds. */
export function iterationsOf(
  {
    startDate,
    iterationCount,
    iterationFrequencyDays,
  }: Pick<SurveyFields, 'startDate' | 'iterationCount' | 'iterationFrequencyDays'>,
  now: number,
): SurveyIterations | null {
  if (startDate === null || !iterationCount || iterationFrequencyDays === null) return null;
  const first = Date.parse(startDate);
  const micros = startDate.slice(-4);
  const startDates = Array.from({ length: iterationCount }, (_, n) => {
    const iso = new Date(first + n * iterationFrequencyDays * DAY_MS).toISOString();
    return iso.slice(0, -1) + micros;
  });
  const begun = startDates.filter((date) => Date.parse(date) <= now).length;
  const current = Math.max(1, begun);
  return { startDates, current, currentStart: startDates[current - 1]! };
}

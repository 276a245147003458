import { noteMarks } from '../../insights/trends/note-marks.ts';
import { trendLines } from '../../insights/trends/trend-lines.ts';

const NOON = '12:00:00';

/**
 * The time that an annotation of an answer begins with, by the project's clocks: the interval that is held; else now, or
 * where the answer ends before, its last interval. Of a whole day it is noon.
 */
export function annotatedAt({
  heldDay,
  results,
  interval,
  now,
}: {
  heldDay: string | null;
  results: unknown;
  interval: string;
  /** By the project's clocks: `2026-11-22 09:30:00`. */
  now: string;
}): string {
  const days = trendLines(results)[0]?.days ?? [];
  const isNowShown = noteMarks([{ day: now, text: '' }], days, interval).length > 0;
  const lastDay = isNowShown ? undefined : days.at(-1);
  const start = heldDay ?? (typeof lastDay === 'string' ? lastDay : now);
  if (start.length > 10) return start.slice(0, 19);
  return start === now.slice(0, 10) ? now : `${start} ${NOON}`;
}

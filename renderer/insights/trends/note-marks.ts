import type { ChartNote } from '../../ui/charts/note-places.ts';
import { endOfInterval } from '../../ui/dates/calendar-days.ts';
import { dayLabel } from '../../ui/dates/day-labels.ts';

/** What is noted of a time: `2026-11-10`, or with the time of day. */
export interface Note {
  day: string;
  text: string;
}

/** The notes in the range of an answer, each at the interval in which its time lies; several of one interval are one mark. */
export function noteMarks(
  notes: readonly Note[],
  days: readonly (string | number)[],
  interval: string,
): ChartNote[] {
  const starts = days.map(String);
  const last = starts.at(-1);
  // Places that are numbers have no notes.
  if (last === undefined || !/^\d{4}-\d\d-\d\d/.test(last)) return [];
  const end = endOfInterval(last, interval);
  const marks = new Map<number, ChartNote['notes']>();
  for (const { day, text } of notes) {
    // The day of a note without a time has begun when its first hour has.
    const time = day.length === 10 ? `${day} 00:00:00` : day;
    if (time >= end) continue;
    const index = starts.findLastIndex((start) => start <= time);
    if (index < 0) continue;
    const when = dayLabel(day, day.length === 10 ? 'day' : 'minute').long;
    marks.set(index, [...(marks.get(index) ?? []), { when, text }]);
  }
  return [...marks].map(([index, list]) => ({ index, notes: list }));
}

import { formatDay, formatMinute } from '../../ui/format.ts';

/** Equal slots of time, with how many events are in each. Times in Unix milliseconds. */
export interface TimeSlots {
  from: number;
  to: number;
  /** The length of a slot. */
  step: number;
  counts: readonly number[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
/** More bars are too thin to be aimed at. */
const MOST = 125;

/** The slots of a span: the shortest ones of which not too many fit. They begin where clocks of the zone show round times. */
export function emptySlots(
  from: number,
  to: number,
  offset: number,
): Omit<TimeSlots, 'counts'> & { count: number } {
  const length = Math.max(SECOND, to - from);
  const step =
    STEPS.find((one) => length / one <= MOST) ?? STEPS.at(-1)! * Math.ceil(length / STEPS.at(-1)! / MOST);
  const round = Math.min(step, DAY);
  const start = Math.floor((from + offset) / round) * round - offset;
  const count = Math.max(1, Math.ceil((to - start) / step));
  return { from: start, to: start + count * step, step, count };
}

/** The number of a slot in HogQL, for events; slots begin at whole seconds. */
export function slotExpression({ from, step }: Pick<TimeSlots, 'from' | 'step'>): string {
  return `intDiv(toUnixTimestamp(timestamp) - ${Math.floor(from / SECOND)}, ${step / SECOND})`;
}

/** The slot of a moment, within those that there are. */
export function slotAt({ from, step, counts }: TimeSlots, moment: number): number {
  return Math.min(counts.length - 1, Math.max(0, Math.floor((moment - from) / step)));
}

/** A moment as it is written in a sentence, as finely as the slots are: `13 Nov, 18:00`. */
export function momentLabel(moment: number, { step }: Pick<TimeSlots, 'step'>, now: number): string {
  const date = new Date(moment);
  const day = formatDay(date, now);
  if (step >= DAY) return day;
  const clock = step < MINUTE ? date.toLocaleTimeString('en-GB') : formatMinute(date.toISOString());
  return `${day}, ${clock}`;
}

/** Labels under the slots, each at its place from 0 to 1; at most `most` of them. */
export function slotLabels(slots: TimeSlots, most: number, now: number): { at: number; text: string }[] {
  const { from, to, step, counts } = slots;
  const every = Math.max(1, Math.ceil(counts.length / most));
  const isWithinDays = to - from <= 2 * DAY;
  return counts.flatMap((_, index) => {
    if (index % every !== 0 || index > counts.length - every / 2) return [];
    const moment = from + index * step;
    const text = isWithinDays
      ? formatMinute(new Date(moment).toISOString())
      : formatDay(new Date(moment), now);
    return [{ at: index / counts.length, text }];
  });
}

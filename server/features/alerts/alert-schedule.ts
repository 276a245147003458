import { Cron } from 'croner';
import { timeZone } from '../../lib/time-zone.ts';
import type { Alert } from './alert-row.ts';
import type { BlockedWindow, Interval } from './alerts.contract.ts';

type Scheduled = Pick<Alert, 'id' | 'interval' | 'skipWeekend' | 'blockedWindows'>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;
/** A window and the weekend can follow each other; more steps than that lead nowhere. */
const MAX_STEPS = 20;

/**
 * Minute 0 to 59 of an alert: it stays the same, and those of different alerts differ, so that not all of them are checked in
 * the same minute.
 */
function minuteOf({ id }: Scheduled): number {
  return Number.parseInt(id.replaceAll('-', '').slice(-4), 16) % 60;
}

function patternOf(alert: Scheduled): string {
  const minute = minuteOf(alert);
  const patterns: Readonly<Record<Interval, string>> = {
    real_time: '* * * * *',
    every_15_minutes: `${[0, 15, 30, 45].map((quarter) => quarter + (minute % 15)).join(',')} * * * *`,
    hourly: `${minute} * * * *`,
    daily: `${minute} 1 * * *`,
    weekly: `${minute} 3 * * 1`,
    monthly: `${minute} 4 1 * *`,
  };
  return patterns[alert.interval];
}

/** When an alert is checked next, after a moment, by the clocks of the project; Unix milliseconds. */
export function nextCheck(alert: Scheduled, after: number, timezone: string): number {
  const cron = new Cron(patternOf(alert), { timezone, paused: true });
  const runAfter = (moment: number): number => cron.nextRun(new Date(moment))!.getTime();
  let next = runAfter(after);
  for (let step = 0; step < MAX_STEPS; step++) {
    const end = endOfPause(alert, next, timezone);
    if (end === null) return next;
    // A check of a month is too rare to be left out; any other comes again soon.
    const isWeekend = alert.skipWeekend && isWeekendAt(next, timezone);
    next = isWeekend && alert.interval !== 'monthly' ? runAfter(end - 1) : end;
  }
  return next;
}

/** Whether an alert is not checked at a moment: its weekend, or one of its blocked windows. */
export function isPaused(alert: Scheduled, moment: number, timezone: string): boolean {
  return endOfPause(alert, moment, timezone) !== null;
}

/** When the pause around a moment ends; null: there is none. */
function endOfPause(
  { skipWeekend, blockedWindows }: Scheduled,
  moment: number,
  timezone: string,
): number | null {
  const zone = timeZone(timezone);
  const local = zone.localOf(moment);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  if (skipWeekend && isWeekendAt(moment, timezone)) {
    const days = new Date(local).getUTCDay() === 6 ? 2 : 1;
    return zone.momentOf(midnight + days * DAY_MS);
  }
  const minute = Math.floor((local - midnight) / MINUTE_MS);
  for (const window of blockedWindows) {
    const { start, end } = minutesOf(window);
    const isLate = minute >= start && (minute < end || end <= start);
    const isEarly = end <= start && minute < end;
    if (!isLate && !isEarly) continue;
    const isNextDay = isLate && end <= start;
    return zone.momentOf(midnight + end * MINUTE_MS + (isNextDay ? DAY_MS : 0));
  }
  return null;
}

function isWeekendAt(moment: number, timezone: string): boolean {
  const day = new Date(timeZone(timezone).localOf(moment)).getUTCDay();
  return day === 0 || day === 6;
}

function minutesOf({ start, end }: BlockedWindow): { start: number; end: number } {
  const [from, to] = [start, end].map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));
  return { start: from!, end: to! };
}

/** Whether the windows together leave no minute of the day. */
export function blockWholeDay(windows: readonly BlockedWindow[]): boolean {
  const blocked = new Set<number>();
  for (const window of windows) {
    const { start, end } = minutesOf(window);
    const length = end > start ? end - start : end - start + MINUTES_OF_DAY;
    for (let at = 0; at < length; at++) blocked.add((start + at) % MINUTES_OF_DAY);
  }
  return blocked.size === MINUTES_OF_DAY;
}

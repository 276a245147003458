import type { PickedPoint } from '../answer.ts';
import type { InsightQuery } from '../insight-query.ts';
import { endOfInterval } from '../../ui/dates/calendar-days.ts';
import { dayLabel } from '../../ui/dates/day-labels.ts';
import { momentOf } from '../../ui/dates/zone-time.ts';

/** A row as the server answers it (management contract 9.9). */
interface RowAnswer {
  date: string;
  label: string;
  breakdown_value?: unknown;
  values: { count: number; label: string }[];
}

export interface RetentionCell {
  count: number;
  /** Of those who began in the row, from 0 to 1. */
  share: number;
  label: string;
  /** Its interval is not over: more may come back. */
  isUnfinished: boolean;
}

/** Who began in an interval, and how many of them came back in each after it. */
export interface RetentionRow {
  /** Its place among the rows of its group, as the server counts it. */
  interval: number;
  name: string;
  /** What its breakdown value is called; empty without one. */
  group: string;
  breakdown: unknown;
  size: number;
  cells: RetentionCell[];
}

/** The mean of the rows of a group at each place: weighted by their sizes, of finished intervals only. */
export interface RetentionMean {
  /** Its breakdown value; empty without one. */
  name: string;
  size: number;
  /** `null` where no interval is over; of how many persons and how many of them came back. */
  cells: { share: number | null; count: number; of: number }[];
}

/** When cells are over. */
export interface RetentionClock {
  /** Without a time zone, as on older shared pages, everything counts as over. */
  zone: string | null | undefined;
  now: Date;
  /** How many periods each place after the first has, where they are not of one. */
  brackets?: readonly number[] | null;
  /** A period begins for each person with the first event: who began last has a whole one more. */
  isRolling?: boolean;
}

/** What the server calls all users in a breakdown by cohorts. */
const ALL_USERS = '0';

/** The rows of an answer; with a breakdown, group after group. */
export function retentionRows(
  results: unknown,
  period: string,
  { isByCohort = false, clock }: { isByCohort?: boolean; clock?: RetentionClock } = {},
): RetentionRow[] {
  const rows = (Array.isArray(results) ? results : []) as RowAnswer[];
  const counted = new Map<unknown, number>();
  return rows.map(({ date, values, breakdown_value: breakdown }) => {
    const key = JSON.stringify(breakdown);
    const interval = counted.get(key) ?? 0;
    counted.set(key, interval + 1);
    const start = date.slice(0, 19).replace('T', ' ');
    const day = dayLabel(start, period.toLowerCase()).short;
    const from = clock ? firstUnfinished(start, period.toLowerCase(), values.length, clock) : values.length;
    const size = values[0]?.count ?? 0;
    const group =
      breakdown === undefined ? '' : isByCohort && breakdown === ALL_USERS ? 'All users' : String(breakdown);
    return {
      interval,
      name: breakdown === undefined ? day : `${group}, ${day}`,
      group,
      breakdown,
      size,
      cells: values.map(({ count, label }, at) => ({
        count,
        label,
        share: size === 0 ? 0 : count / size,
        isUnfinished: at >= from,
      })),
    };
  });
}

/** The first place of a row that is not over; the number of its places when all are. */
function firstUnfinished(
  start: string,
  period: string,
  places: number,
  { zone, now, brackets, isRolling = false }: RetentionClock,
): number {
  if (!zone) return places;
  let end = start;
  let periods = 0;
  let wanted = isRolling ? 1 : 0;
  for (let at = 0; at < places; at += 1) {
    wanted += at === 0 ? 1 : (brackets?.[at - 1] ?? 1);
    for (; periods < wanted; periods += 1) end = endOfInterval(end, period);
    const moment = momentOf(end.length > 10 ? end : `${end} 00:00:00`, zone);
    if (moment !== null && moment > now) return at;
  }
  return places;
}

/** The mean of each group, in the order in which they came. */
export function retentionMeans(rows: readonly RetentionRow[]): RetentionMean[] {
  return [...new Set(rows.map(({ group }) => group))].map((name) => {
    const own = rows.filter(({ group }) => group === name);
    const places = own.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    return {
      name,
      size: own.reduce((sum, { size }) => sum + size, 0),
      cells: Array.from({ length: places }, (_, at) => {
        const over = own.filter(({ cells }) => cells[at]?.isUnfinished === false);
        const of = over.reduce((sum, { size }) => sum + size, 0);
        const count = over.reduce((sum, { cells }) => sum + cells[at]!.count, 0);
        return { share: of === 0 ? null : count / of, count, of };
      }),
    };
  });
}

/** How retention is drawn. */
export function retentionDisplay({ retentionFilter }: InsightQuery): 'ActionsTable' | 'ActionsLineGraph' {
  return retentionFilter?.['display'] === 'ActionsLineGraph' ? 'ActionsLineGraph' : 'ActionsTable';
}

/** Who is in a row of retention; with a place, who came back there. */
export function pointOfCell(
  insightQuery: InsightQuery,
  interval: number,
  place: number | null,
  { title, breakdown }: { title: string; breakdown: unknown },
): PickedPoint {
  const day = place === null ? {} : { day: place };
  return { title, source: { kind: 'InsightActorsQuery', source: insightQuery, interval, ...day, breakdown } };
}

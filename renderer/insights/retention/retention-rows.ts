import type { PickedPoint } from '../answer.ts';
import type { InsightQuery } from '../insight-query.ts';
import { dayLabel } from '../../ui/dates/day-labels.ts';

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
}

/** Who began in an interval, and how many of them came back in each after it. */
export interface RetentionRow {
  /** Its place among the rows of its group, as the server counts it. */
  interval: number;
  name: string;
  breakdown: unknown;
  size: number;
  cells: RetentionCell[];
}

/** What the server calls all users in a breakdown by cohorts. */
const ALL_USERS = '0';

/** The rows of an answer; with a breakdown, group after group. */
export function retentionRows(results: unknown, period: string, isByCohort = false): RetentionRow[] {
  const rows = (Array.isArray(results) ? results : []) as RowAnswer[];
  const counted = new Map<unknown, number>();
  return rows.map(({ date, values, breakdown_value: breakdown }) => {
    const key = JSON.stringify(breakdown);
    const interval = counted.get(key) ?? 0;
    counted.set(key, interval + 1);
    const day = dayLabel(date.slice(0, 19).replace('T', ' '), period.toLowerCase()).short;
    const size = values[0]?.count ?? 0;
    const group = isByCohort && breakdown === ALL_USERS ? 'All users' : String(breakdown);
    return {
      interval,
      name: breakdown === undefined ? day : `${group}, ${day}`,
      breakdown,
      size,
      cells: values.map(({ count, label }) => ({ count, label, share: size === 0 ? 0 : count / size })),
    };
  });
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

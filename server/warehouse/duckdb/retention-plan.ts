import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventSizes } from './event-sizes.ts';

/** Retention limits of a project; null: no limit. */
export interface RetentionLimits {
  maxDays: number | null;
  /** 1 GB is 1,000,000,000 bytes, of the estimate of EventSizes. */
  maxGb: number | null;
}

/** Events of one UTC day. */
export interface DayCount {
  /** Unix ms of its start. */
  day: number;
  events: number;
}

const DAY_MS = 86_400_000;
const GB = 1e9;

/** Stored events of the project by day, oldest first. */
export async function readDays(connection: DuckDBConnection, projectId: number): Promise<DayCount[]> {
  const rows = await connection.runAndReadAll(`
    SELECT epoch_ms(date_trunc('day', timestamp))::DOUBLE AS day, count(*)::DOUBLE FROM (
      SELECT timestamp FROM events WHERE project_id = ${projectId}
      UNION ALL SELECT timestamp FROM events_recent WHERE project_id = ${projectId}
    ) GROUP BY day ORDER BY day`);
  return rows.getRows().map(([day, events]) => ({ day: day as number, events: events as number }));
}

/** The number of the project's oldest events that exceed its limits at `now` (Unix ms). */
export async function countBeyond(
  connection: DuckDBConnection,
  sizes: EventSizes,
  projectId: number,
  { maxDays, maxGb }: RetentionLimits,
  days: readonly DayCount[],
  now: number,
): Promise<number> {
  const tooOld =
    maxDays === null ? 0 : await countBefore(connection, projectId, days, now - maxDays * DAY_MS);
  if (maxGb === null) return tooOld;
  const stored = days.reduce((sum, { events }) => sum + events, 0);
  const perEvent = await sizes.bytesPerEvent(projectId);
  const tooMany = perEvent === 0 ? 0 : stored - Math.floor((maxGb * GB) / perEvent);
  return Math.max(tooOld, tooMany, 0);
}

async function countBefore(
  connection: DuckDBConnection,
  projectId: number,
  days: readonly DayCount[],
  time: number,
): Promise<number> {
  const wholeDays = days
    .filter(({ day }) => day + DAY_MS <= time)
    .reduce((sum, { events }) => sum + events, 0);
  const last = days.find(({ day }) => day < time && day + DAY_MS > time);
  if (last === undefined) return wholeDays;
  const rows = await connection.runAndReadAll(
    `SELECT ((SELECT count(*) FROM events WHERE ${within(projectId, last.day, time)})
       + (SELECT count(*) FROM events_recent WHERE ${within(projectId, last.day, time)}))::DOUBLE`,
  );
  return wholeDays + (rows.value(0, 0) as number);
}

/**
 * The project's events from one time to before another, as a condition; whole numbers of Unix ms are part of the
 * text.
 */
export function within(projectId: number, from: number, to: number): string {
  return `project_id = ${projectId} AND timestamp >= epoch_ms(${from}::BIGINT) AND timestamp < epoch_ms(${to}::BIGINT)`;
}

/** One step of deletion: everything before `before`, or no more than `limit` of it, the oldest. */
export interface DeletionStep {
  /** Unix ms. */
  before: number;
  limit: number | null;
  events: number;
}

/** The first step towards deleting the `count` oldest events: whole days, or a part of one, of about `stepRows` rows. */
export function firstStep(days: readonly DayCount[], count: number, stepRows: number): DeletionStep | null {
  let events = 0;
  let before: number | null = null;
  for (const { day, events: ofDay } of days) {
    if (events >= stepRows || events + ofDay > count) break;
    events += ofDay;
    before = day + DAY_MS;
  }
  if (before !== null) return { before, limit: null, events };
  const first = days[0];
  if (first === undefined || count <= 0) return null;
  const limit = Math.min(count, stepRows);
  return { before: first.day + DAY_MS, limit, events: limit };
}

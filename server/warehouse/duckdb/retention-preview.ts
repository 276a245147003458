import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import type { EventSizes, StoredEvents } from './event-sizes.ts';
import { countBeyond, readDays, type DayCount, type RetentionLimits } from './retention-plan.ts';

/** What the limits would delete. */
export interface RetentionPreview extends StoredEvents {
  remaining: StoredEvents;
  /** Deleted events by UTC month (`2026-03`), oldest first. */
  months: { month: string; events: number; estimatedBytes: number }[];
  /** Persons whose events are all deleted; the persons themselves are kept. */
  personsWithoutEvents: number;
}

/**
 * Computes what the limits would delete at `now` (Unix ms) without deleting anything, in one transaction on its own
 * connection, so that all its queries see the same events.
 */
export async function previewRetention(
  connect: () => Promise<DuckDBConnection>,
  ...asked: [sizes: EventSizes, projectId: number, limits: RetentionLimits, now: number]
): Promise<RetentionPreview> {
  const connection = await connect();
  try {
    return await inTransaction(connection, () => previewOf(connection, ...asked));
  } finally {
    connection.closeSync();
  }
}

async function previewOf(
  connection: DuckDBConnection,
  sizes: EventSizes,
  projectId: number,
  limits: RetentionLimits,
  now: number,
): Promise<RetentionPreview> {
  const days = await readDays(connection, projectId);
  const stored = days.reduce((sum, { events }) => sum + events, 0);
  const events = Math.min(await countBeyond(connection, sizes, projectId, limits, days, now), stored);
  const perEvent = await sizes.bytesPerEvent(projectId);
  const bytesOf = (count: number): number => Math.round(count * perEvent);
  const [oldest, newest] = events === 0 ? [null, null] : [await timeAt(0), await timeAt(events - 1)];
  const kept = stored - events;
  return {
    events,
    oldest,
    newest,
    estimatedBytes: bytesOf(events),
    remaining: {
      events: kept,
      oldest: kept === 0 ? null : await timeAt(events),
      newest: kept === 0 ? null : await timeAt(stored - 1),
      estimatedBytes: bytesOf(kept),
    },
    months: monthsOf(days, events).map((month) => ({ ...month, estimatedBytes: bytesOf(month.events) })),
    personsWithoutEvents: newest === null ? 0 : await countPersonsUntil(connection, projectId, newest),
  };

  /** The time of the event at this position in time order; reads only its day. */
  async function timeAt(place: number): Promise<number> {
    let before = 0;
    const { day } = days.find(({ events: ofDay }) => (before += ofDay) > place)!;
    const ofDay = days.find((one) => one.day === day)!.events;
    const where = `project_id = ${projectId} AND date_trunc('day', timestamp) = epoch_ms(${day}::BIGINT)`;
    const rows = await connection.runAndReadAll(`
      SELECT epoch_ms(timestamp)::DOUBLE FROM (
        SELECT timestamp FROM events WHERE ${where} UNION ALL SELECT timestamp FROM events_recent WHERE ${where}
      ) ORDER BY timestamp LIMIT 1 OFFSET ${place - (before - ofDay)}`);
    return rows.value(0, 0) as number;
  }
}

function monthsOf(days: readonly DayCount[], count: number): { month: string; events: number }[] {
  const months = new Map<string, number>();
  let left = count;
  for (const { day, events } of days) {
    const going = Math.min(events, left);
    if (going === 0) break;
    const month = new Date(day).toISOString().slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + going);
    left -= going;
  }
  return [...months].map(([month, events]) => ({ month, events }));
}

/** Persons whose last event came no later than `time`. */
async function countPersonsUntil(
  connection: DuckDBConnection,
  projectId: number,
  time: number,
): Promise<number> {
  const rows = await connection.runAndReadAll(`
    SELECT count(*)::DOUBLE FROM persons JOIN (
      SELECT coalesce(o.person_id, e.person_id) AS id FROM (
        SELECT person_id, timestamp FROM events WHERE project_id = ${projectId}
        UNION ALL SELECT person_id, timestamp FROM events_recent WHERE project_id = ${projectId}
      ) e LEFT JOIN person_overrides o ON o.old_person_id = e.person_id
      GROUP BY 1 HAVING epoch_ms(max(e.timestamp)) <= ${time}
    ) USING (id)`);
  return rows.value(0, 0) as number;
}

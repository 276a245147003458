import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../lib/clock.ts';

/** What a project has stored. Times in Unix milliseconds, null without events. */
export interface StoredEvents {
  events: number;
  oldest: number | null;
  newest: number | null;
  estimatedBytes: number;
}

export interface EventSizes {
  /** Bytes that an event of the project takes in the file, on average. */
  bytesPerEvent(projectId: number): Promise<number>;
  /** What each project that has events has stored. */
  readAll(): Promise<Map<number, StoredEvents>>;
}

/** Events whose texts are measured; more are sampled down to about so many. */
const SAMPLED_EVENTS = 200_000;
/** What an event takes beside its texts, uncompressed. */
const FIXED_BYTES = 64;
/** An average changes slowly, and taking it reads texts. */
const KEPT_MS = 30_000;

const TEXT_BYTES = `strlen(properties) + strlen(event) + strlen(distinct_id) + coalesce(strlen(elements_chain), 0)`;

/**
 * Estimates how much of the file belongs to which project. The texts of a sample of its events are measured as they
 * were received; their compression ratio is taken from the blocks of the table `events`, which all projects share.
 */
export function createEventSizes(connection: DuckDBConnection, clock: Clock): EventSizes {
  let known: { at: number; ofProject: Map<number, number>; ofAll: number } | null = null;

  async function measure(): Promise<NonNullable<typeof known>> {
    if (known !== null && Math.abs(clock() - known.at) < KEPT_MS) return known;
    const rows = (await connection.runAndReadAll(await sampleSql())).getRows() as [number, number, number][];
    const count = rows.reduce((sum, [, events]) => sum + events, 0);
    const bytes = rows.reduce((sum, [, , texts]) => sum + texts, 0);
    const average = count === 0 ? 0 : bytes / count;
    const ratio = average === 0 ? 1 : Math.min(1, ((await fileBytesPerRow()) ?? average) / average);
    known = {
      at: clock(),
      ofProject: new Map(rows.map(([projectId, events, texts]) => [projectId, (texts / events) * ratio])),
      ofAll: average * ratio,
    };
    return known;
  }

  async function sampleSql(): Promise<string> {
    const tables: string[] = [];
    for (const table of ['events', 'events_recent']) {
      const rows = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${table}`);
      const share = SAMPLED_EVENTS / (rows.value(0, 0) as number);
      const sample =
        share >= 1 ? '' : ` TABLESAMPLE system(${(share * 100).toFixed(4)} PERCENT) REPEATABLE (1)`;
      tables.push(`SELECT project_id, ${TEXT_BYTES} + ${FIXED_BYTES} AS bytes FROM ${table}${sample}`);
    }
    return `SELECT project_id, count(*)::DOUBLE, sum(bytes)::DOUBLE FROM (${tables.join(' UNION ALL ')}) GROUP BY 1`;
  }

  /** Null while nothing of `events` is in the file. Deleted rows count as long as their row group is there. */
  async function fileBytesPerRow(): Promise<number | null> {
    const rows = await connection.runAndReadAll(`
      WITH segments AS (SELECT * FROM pragma_storage_info('events') WHERE persistent)
      SELECT (SELECT sum(count) FROM segments WHERE column_path = '[0]')::DOUBLE,
        (SELECT count(DISTINCT block) FROM (SELECT unnest([block_id] || additional_block_ids) AS block FROM segments)
          WHERE block >= 0)::DOUBLE,
        (SELECT block_size FROM pragma_database_size() WHERE database_name = current_database())::DOUBLE`);
    const [count, blocks, blockBytes] = rows.getRows()[0] as [number | null, number, number];
    return count === null || count === 0 ? null : (blocks * blockBytes) / count;
  }

  async function bytesPerEvent(projectId: number): Promise<number> {
    const { ofProject, ofAll } = await measure();
    return ofProject.get(projectId) ?? ofAll;
  }

  return {
    bytesPerEvent,
    async readAll() {
      const found = await connection.runAndReadAll(`
        SELECT project_id, sum(n)::DOUBLE, epoch_ms(min(oldest))::DOUBLE, epoch_ms(max(newest))::DOUBLE FROM (
          SELECT project_id, count(*) AS n, min(timestamp) AS oldest, max(timestamp) AS newest
          FROM events GROUP BY 1
          UNION ALL
          SELECT project_id, count(*), min(timestamp), max(timestamp) FROM events_recent GROUP BY 1
        ) GROUP BY 1`);
      const all = new Map<number, StoredEvents>();
      for (const row of found.getRows()) {
        const [projectId, events, oldest, newest] = row as [number, number, number, number];
        const estimatedBytes = Math.round(events * (await bytesPerEvent(projectId)));
        all.set(projectId, { events, oldest, newest, estimatedBytes });
      }
      return all;
    },
  };
}

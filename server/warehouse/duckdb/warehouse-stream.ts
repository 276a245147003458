import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { insertSelect } from '../../db/insert-select.ts';
import { personHashSql, uuidOfHashSql } from '../../lib/person-uuid-sql.ts';
import { quoteText } from '../../lib/quote-sql.ts';
import type { ParticipantContext, StoreParticipant } from './commit-participant.ts';

/** How far a warehouse beside the file has received its rows; numbers as in `warehouse_stream`. */
export interface StreamState {
  streamId: string;
  eventsSeq: number;
  personsVersion: number;
  groupsVersion: number;
  deletion: number;
  /** The file was used without the warehouse since, which has to receive everything again. */
  lapsed: boolean;
}

/** How far the file itself has come, and what is left to copy of what was stored before the stream began. */
export interface StreamHeads {
  /** Null: no stream was begun. */
  state: StreamState | null;
  eventsSeq: number;
  personsVersion: number;
  groupsVersion: number;
  /** The number of the last deletion that is to be carried out. */
  deletion: number;
  /** When the first event arrived that was not sent, in Unix milliseconds; null: all were sent. */
  waitingSince: number | null;
  copies: StreamCopy[];
}

export interface StreamCopy {
  kind: 'person_distinct_ids' | 'persons' | 'groups' | 'events';
  projectId: number | null;
  /** `2026-11-20`, in UTC. */
  day: string | null;
  rows: number;
}

/** Something that the warehouse is to delete. */
export interface StreamDeletion {
  number: number;
  projectId: number;
  /** Null: everything of the project. */
  distinctIds: string[] | null;
  eventsSeq: number;
  personsVersion: number;
  groupsVersion: number;
}

/** The messages of the server about the stream, by kind. */
export type StreamOrder =
  | { kind: 'stream.begin'; streamId: string }
  | { kind: 'stream.heads' }
  | { kind: 'stream.write'; what: StreamCopy | StreamPart; file: string }
  | { kind: 'stream.deletions' }
  | { kind: 'stream.sent'; state: StreamState }
  | { kind: 'stream.copied'; copy: StreamCopy };
export type StreamOrderOf<K extends StreamOrder['kind']> = Extract<StreamOrder, { kind: K }>;

/** Recent rows after a number, as many as one batch holds. */
export interface StreamPart {
  recent: 'events' | 'persons' | 'person_distinct_ids' | 'groups';
  after: number;
  /** The last number of the batch; left out: as many rows as one batch holds. */
  through?: number;
}

/** What was written to a file: rows, and the number of the last of them. */
export interface StreamWritten {
  rows: number;
  through: number;
}

/** Events of one batch: a bounded file, and a second of load. */
const BATCH_EVENTS = 50_000;
const BATCH_CHANGES = 100_000;
/** Rows that are in memory together while a batch is written; more of them need more than DuckDB has at rest. */
const GROUP_ROWS = 8_192;

/** DuckDB's SQL of the numbers that the file has come to, for a deletion. */
const HEADS = `greatest((SELECT last_seq FROM events_state), (SELECT max(seq) FROM events_recent)),
  greatest((SELECT max(version) FROM persons_recent), (SELECT max(version) FROM person_distinct_ids_recent),
    (SELECT max(persons_version) FROM warehouse_stream)),
  greatest((SELECT max(version) FROM groups_recent), (SELECT max(groups_version) FROM warehouse_stream))`;

/**
 * Notes in the open transaction, before rows are deleted, that the warehouse is to delete them too: everything of a project,
 * or the events of these distinct IDs. Without a warehouse nothing is noted.
 */
export async function noteDeletion(
  connection: DuckDBConnection,
  projectId: number,
  distinctIds: readonly string[] | null,
): Promise<void> {
  await insertSelect(
    connection,
    `INSERT INTO warehouse_deletions (of_project, distinct_ids, events_seq, persons_version, groups_version)
     SELECT $projectId, nullif($distinctIds, ''), ${HEADS} FROM warehouse_stream`,
    { projectId, distinctIds: distinctIds === null ? '' : JSON.stringify(distinctIds) },
  );
}

/** The UUIDs of persons and placeholders, of rows of a query `batch` with `person` and `project_id`. */
const PERSON_UUID = `coalesce(p.uuid, ${uuidOfHashSql(personHashSql('b.project_id', 'coalesce(f.distinct_id, b.distinct_id)'))})::VARCHAR`;
const PERSON_JOINS = `LEFT JOIN persons p ON p.id = b.person
  LEFT JOIN (
    SELECT person_id, arg_min(distinct_id, position) AS distinct_id FROM person_distinct_ids
    WHERE person_id IN (SELECT person FROM batch) GROUP BY person_id
  ) f ON f.person_id = b.person`;

function eventsSql(batch: string, seq: string): string {
  return `WITH batch AS (SELECT r.*, coalesce(o.person_id, r.person_id) AS person, ${seq} AS stream_seq FROM (${batch}) r
      LEFT JOIN person_overrides o ON o.old_person_id = r.person_id)
    SELECT b.project_id::BIGINT AS project_id, b.uuid::VARCHAR AS uuid, b.event, b.properties, b.timestamp, b.distinct_id,
      coalesce(b.elements_chain, '') AS elements_chain, b.received_at, ${PERSON_UUID} AS person_id, b.stream_seq AS seq
    FROM batch b ${PERSON_JOINS}`;
}

function distinctIdsSql(rows: string): string {
  return `WITH batch AS (SELECT *, person_id AS person FROM (${rows}))
    SELECT b.project_id::BIGINT AS project_id, b.distinct_id, ${PERSON_UUID} AS person_id, b.version, b.is_deleted::UTINYINT AS is_deleted
    FROM batch b ${PERSON_JOINS}`;
}

function personsSql(rows: string): string {
  return `SELECT project_id::BIGINT AS project_id, uuid::VARCHAR AS id, created_at,
    CASE WHEN is_deleted THEN '{}' ELSE properties END AS properties, is_identified, version,
    is_deleted::UTINYINT AS is_deleted FROM (${rows})`;
}

function groupsSql(rows: string): string {
  return `SELECT project_id::BIGINT AS project_id, group_type_index::BIGINT AS group_type_index, group_key, created_at, properties,
    version, is_deleted::UTINYINT AS is_deleted FROM (${rows})`;
}

const CHANGES = { persons: personsSql, person_distinct_ids: distinctIdsSql, groups: groupsSql };

/** The part of the stream in the thread of the store: writes what is to be sent to files, and keeps how far it has come. */
export async function openWarehouseStream(
  context: ParticipantContext,
  hasWarehouse: boolean,
): Promise<StoreParticipant> {
  const { hold } = context;
  const connection = await context.connect();

  async function rows(sql: string, params: Record<string, number | string> = {}): Promise<unknown[][]> {
    return (await connection.runAndReadAll(sql, params)).getRows() as unknown[][];
  }

  async function readState(): Promise<StreamState | null> {
    const [row] =
      await rows(`SELECT stream_id, events_seq::DOUBLE, persons_version::DOUBLE, groups_version::DOUBLE, deletion::DOUBLE, lapsed
      FROM warehouse_stream`);
    if (row === undefined) return null;
    const [streamId, eventsSeq, personsVersion, groupsVersion, deletion, lapsed] = row as [
      string,
      number,
      number,
      number,
      number,
      boolean,
    ];
    return { streamId, eventsSeq, personsVersion, groupsVersion, deletion, lapsed };
  }

  async function readCopies(): Promise<StreamCopy[]> {
    const found =
      await rows(`SELECT kind, of_project, strftime(day, '%Y-%m-%d'), rows::DOUBLE FROM warehouse_copies
      ORDER BY kind != 'person_distinct_ids', kind = 'events', of_project, day`);
    return found.map(
      ([kind, projectId, day, count]) => ({ kind, projectId, day, rows: count }) as StreamCopy,
    );
  }

  async function follow(): Promise<void> {
    const found = await readState();
    const state = found?.lapsed === true ? null : found;
    hold.eventsThrough = state?.eventsSeq ?? Infinity;
    hold.personsThrough = state?.personsVersion ?? Infinity;
    hold.groupsThrough = state?.groupsVersion ?? Infinity;
    hold.isCopying = state !== null && (await readCopies()).length > 0;
  }

  /** Writes a query to a file in the folder of the server. */
  async function write(sql: string, file: string): Promise<number> {
    await rm(file, { force: true });
    const copied = await connection.run(
      `COPY (${sql}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE ${GROUP_ROWS})`,
    );
    return copied.rowsChanged;
  }

  /** The few rows of a steady load are written at rest. */
  function writeMany(count: number, sql: string, file: string): Promise<number> {
    const work = (): Promise<number> => write(sql, file);
    return count > GROUP_ROWS ? context.resources.whileSorting(work) : work();
  }

  async function writeRecent(
    { recent, after, through: given }: StreamPart,
    file: string,
  ): Promise<StreamWritten> {
    if (recent === 'events') {
      const [head] = await rows(
        `SELECT max(seq)::DOUBLE, count(*)::DOUBLE FROM
           (SELECT seq FROM events_recent WHERE seq > $after ORDER BY seq LIMIT ${BATCH_EVENTS})`,
        { after },
      );
      const [last, count] = head as [number | null, number];
      const through = last ?? after;
      if (through === after) return { rows: 0, through };
      const batch = `SELECT * FROM events_recent WHERE seq > ${after} AND seq <= ${through}
        AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))`;
      return { rows: await writeMany(count, eventsSql(batch, 'r.seq'), file), through };
    }
    const table = `${recent}_recent`;
    const through = given ?? (await lastVersion(recent, after));
    if (through === after) return { rows: 0, through };
    const changes = `SELECT * FROM ${table} WHERE version > ${after} AND version <= ${through}`;
    return { rows: await writeMany(through - after, CHANGES[recent](changes), file), through };
  }

  /** Persons and their distinct IDs have the same versions, and are sent together. */
  async function lastVersion(recent: StreamPart['recent'], after: number): Promise<number> {
    const tables = recent === 'groups' ? ['groups'] : ['persons', 'person_distinct_ids'];
    const all = tables
      .map((name) => `SELECT version FROM ${name}_recent WHERE version > $after`)
      .join(' UNION ALL ');
    const [head] = await rows(
      `SELECT max(version)::DOUBLE FROM (SELECT version FROM (${all}) ORDER BY version LIMIT ${BATCH_CHANGES})`,
      { after },
    );
    return (head![0] as number | null) ?? after;
  }

  async function writeCopy({ kind, projectId, day }: StreamCopy, file: string): Promise<StreamWritten> {
    const sql =
      kind === 'events'
        ? eventsSql(
            `SELECT * FROM events WHERE project_id = ${projectId} AND timestamp >= DATE ${quoteText(day!)}
             AND timestamp < DATE ${quoteText(day!)} + INTERVAL 1 DAY`,
            '0',
          )
        : CHANGES[kind](`SELECT *, 0::BIGINT AS version, false AS is_deleted FROM ${kind}`);
    return { rows: await write(sql, file), through: 0 };
  }

  const order = <T>(work: () => Promise<T>): Promise<T> =>
    context.order({ work, rolledBack: () => undefined });

  // Without the warehouse nothing waits for it.
  if (!hasWarehouse && (await readState())?.lapsed === false)
    await connection.run('UPDATE warehouse_stream SET lapsed = true');
  await follow();
  return {
    calls: {
      'stream.begin': async ({ streamId }: StreamOrderOf<'stream.begin'>) => {
        await order(async () => {
          const { connection: commits } = context;
          // Deletions that are noted are still to be carried out, on rows that were sent before.
          for (const table of ['warehouse_stream', 'warehouse_copies'])
            await commits.run(`DELETE FROM ${table}`);
          await insertSelect(
            commits,
            'INSERT INTO warehouse_stream SELECT $streamId, last_seq, 0, 0, 0, false FROM events_state',
            { streamId },
          );
          for (const kind of Object.keys(CHANGES))
            await insertSelect(
              commits,
              `INSERT INTO warehouse_copies SELECT '${kind}', NULL, NULL, count(*) FROM ${kind}`,
            );
          await insertSelect(
            commits,
            `INSERT INTO warehouse_copies
            SELECT 'events', project_id, timestamp::DATE AS day, count(*) FROM events GROUP BY project_id, day`,
          );
        });
        await follow();
      },
      'stream.heads': async (): Promise<StreamHeads> => {
        await context.flush();
        const state = await readState();
        const [head] = await rows(
          `SELECT ${HEADS},
             (SELECT max(number) FROM warehouse_deletions),
             (SELECT epoch_ms(min(received_at))::DOUBLE FROM events_recent WHERE seq > $after)`,
          { after: state?.eventsSeq ?? 0 },
        );
        const [eventsSeq, personsVersion, groupsVersion, deletion, waitingSince] = head!.map((value) =>
          value === null ? null : Number(value),
        );
        return {
          state,
          eventsSeq: eventsSeq!,
          personsVersion: personsVersion ?? 0,
          groupsVersion: groupsVersion ?? 0,
          deletion: deletion ?? 0,
          waitingSince: waitingSince ?? null,
          copies: hold.isCopying ? await readCopies() : [],
        };
      },
      'stream.write': ({ what, file }: StreamOrderOf<'stream.write'>): Promise<StreamWritten> =>
        'recent' in what
          ? writeRecent(what, file)
          : context.resources.whileMoving(() => writeCopy(what, file)),
      'stream.deletions': async (): Promise<StreamDeletion[]> => {
        const found =
          await rows(`SELECT d.number::DOUBLE, of_project, distinct_ids, d.events_seq::DOUBLE, d.persons_version::DOUBLE,
            d.groups_version::DOUBLE
          FROM warehouse_deletions d JOIN warehouse_stream s ON d.number > s.deletion ORDER BY d.number LIMIT 100`);
        return found.map(([number, projectId, distinctIds, eventsSeq, personsVersion, groupsVersion]) => ({
          number: number as number,
          projectId: projectId as number,
          distinctIds: distinctIds === null ? null : (JSON.parse(distinctIds as string) as string[]),
          eventsSeq: eventsSeq as number,
          personsVersion: personsVersion as number,
          groupsVersion: groupsVersion as number,
        }));
      },
      'stream.sent': async ({ state }: StreamOrderOf<'stream.sent'>) => {
        const { streamId, eventsSeq, personsVersion, groupsVersion, deletion } = state;
        await connection.run(
          `UPDATE warehouse_stream SET events_seq = $eventsSeq, persons_version = $personsVersion, groups_version = $groupsVersion,
             deletion = $deletion WHERE stream_id = $streamId`,
          { eventsSeq, personsVersion, groupsVersion, deletion, streamId },
        );
        await connection.run('DELETE FROM warehouse_deletions WHERE number <= $deletion', { deletion });
        await follow();
      },
      'stream.copied': async ({ copy: { kind, projectId, day } }: StreamOrderOf<'stream.copied'>) => {
        await connection.run(
          `DELETE FROM warehouse_copies WHERE kind = $kind
           ${kind === 'events' ? `AND of_project = ${projectId} AND day = DATE ${quoteText(day!)}` : ''}`,
          { kind },
        );
        await follow();
      },
    },
    async close() {
      connection.closeSync();
    },
  };
}

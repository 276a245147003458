import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import type { Analytics, Params, Row } from '../../db/db.ts';
import { createLane } from '../../db/lane.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { streamEvents } from '../../features/events/events.reads.ts';
import { silentLog } from '../../lib/log.ts';
import { compactStep } from './compaction.ts';
import { ROW_GROUP_ROWS, moveFirstRows } from './table-rewrite.ts';

const ROWS = ROW_GROUP_ROWS + 20_000;
const ROUNDS = 4;
const LISTED_ROUNDS = 6;
const LIMIT = 50_000;
/** Unix microseconds. */
const START = 1_790_000_000_000_000;
const PREFIX = '01a21942-0000-7000-8000-';

/** A database in a file, since one in memory commits without a log, in one moment. */
async function openFile(): Promise<() => Promise<DuckDBConnection>> {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-moved-'));
  const options = { path: join(folder, 'a.duckdb'), memoryLimitBytes: 1_073_741_824 };
  const instance = await openDatabase(options, silentLog, Date.now);
  await (await instance.connect()).run('SET threads = 2');
  onTestFinished(async () => {
    instance.closeSync();
    await rm(folder, { recursive: true });
  });
  await migrate(await instance.connect(), { path: null, log: silentLog, now: Date.now });
  return () => instance.connect();
}

/** Events of one name and one moment, whose UUIDs follow one another. */
async function addEvents(connection: DuckDBConnection, round: number): Promise<void> {
  await connection.run(`INSERT INTO events_recent BY NAME SELECT ${round * ROWS} + i AS seq, 1 AS project_id,
    make_timestamp(${START} + ${round}) AS timestamp, printf('${PREFIX}%012x', i)::UUID AS uuid, 'seen ${round}' AS event, 'u' AS distinct_id,
    1 AS person_id, '{}' AS properties, make_timestamp(${START}) AS received_at, false AS historical,
    false AS suspect FROM range(${ROWS}) r(i)`);
}

async function countEvents(connection: DuckDBConnection): Promise<number> {
  return Number((await connection.runAndReadAll('SELECT count(*) FROM all_events')).value(0, 0));
}

/** How many events the list answers of a round, from the given one to the first. */
async function listEvents(connection: DuckDBConnection, round: number, from: number): Promise<number> {
  const lane = createLane(connection, { streams: true });
  const analytics = {
    async *stream(sql: string, params: Params = {}) {
      const pieces: Row[][] = [];
      await lane.run({ sql, params, onRows: (rows) => void pieces.push(rows) });
      yield* pieces;
    },
  } as unknown as Analytics;
  const page = {
    event: `seen ${round}`,
    distinctId: null,
    personIds: null,
    filter: { sql: 'true', params: {} },
    after: null,
    before: { timestamp: BigInt(START + round), uuid: PREFIX + from.toString(16).padStart(12, '0') },
    isAscending: false,
    limit: LIMIT,
    offset: 0,
  };
  let listed = 0;
  for await (const rows of streamEvents(analytics, 1, page, {})) listed += rows.length;
  return listed;
}

/** What another connection reads, again and again, while `move` runs. */
async function readDuring(move: () => Promise<unknown>, read: () => Promise<number>): Promise<number[]> {
  const seen = new Set<number>();
  let isMoving = true;
  const reading = (async () => {
    while (isMoving) seen.add(await read());
  })();
  await move();
  isMoving = false;
  await reading;
  return [...seen];
}

test('every count of events is right while compaction moves them', async () => {
  const connect = await openFile();
  const [moving, reading] = [await connect(), await connect()];
  for (let round = 0; round < ROUNDS; round++) {
    await addEvents(moving, round);
    const counted = await readDuring(
      () => compactStep(moving, []),
      () => countEvents(reading),
    );
    expect(counted).toEqual([(round + 1) * ROWS]);
  }
});

test('every count of events is right while their table is rewritten after an erasure', async () => {
  const connect = await openFile();
  const [moving, reading] = [await connect(), await connect()];
  await addEvents(moving, 0);
  while ((await compactStep(moving, [])) !== null);
  for (let round = 0; round < ROUNDS; round++) {
    const move = (): Promise<void> => moveFirstRows(moving, 'events', ROW_GROUP_ROWS);
    expect(await readDuring(move, () => countEvents(reading))).toEqual([ROWS]);
  }
});

test('a page of the event list is whole while compaction moves its events', { tags: ['deep'] }, async () => {
  const connect = await openFile();
  const moving = await connect();
  const reading = [await connect(), await connect()];
  const compactAll = async (): Promise<void> => {
    while ((await compactStep(moving, [])) !== null);
  };
  for (let round = 0; round < LISTED_ROUNDS; round++) {
    await addEvents(moving, round);
    const compacting = compactAll();
    const lists = reading.map((connection, n) =>
      readDuring(
        () => compacting,
        () => listEvents(connection, round, (n + 1) * 40_000),
      ),
    );
    expect(await Promise.all(lists)).toEqual([[40_000], [LIMIT + 1]]);
  }
});

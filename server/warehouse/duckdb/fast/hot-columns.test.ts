import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DuckDBInstance, listValue, type DuckDBConnection } from '@duckdb/node-api';
import { NUMBER_PATTERN } from '../../../lib/number-text.ts';
import { migrate } from '../../../db/migrate.ts';
import { silentLog } from '../../../lib/log.ts';
import { compactStep } from '../compaction.ts';
import type { HotProperty } from './hot-columns.ts';
import { HOT_COLUMNS, openHotColumns, type HotColumns } from './hot-columns.ts';
import type { MaintenanceContext } from '../maintenance-task.ts';
import { createTableWriteLock } from '../table-write-lock.ts';

const HOUR = 3_600_000;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
let hot: HotColumns;
let now = 1_790_000_000_000;

const turn: MaintenanceContext = {
  isQuiet: true,
  isClosing: false,
  fileBytes: 0,
  compact: async () => (await compactStep(connection, hot.all()))?.taken ?? 0,
  async checkpoint(next) {
    await connection.run('CHECKPOINT');
    return await next();
  },
};

async function open(): Promise<void> {
  hot = await openHotColumns({
    connection: await instance.connect(),
    writeLock: createTableWriteLock(),
    resources: { whileMoving: (work) => work() },
    onFilled: () => undefined,
    clock: () => now,
    log: silentLog,
  });
}

beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  await open();
});

afterEach(async () => {
  await hot.close(turn);
  connection.closeSync();
  instance.closeSync();
});

const ROW = `1, TIMESTAMP '2026-11-20', uuid(), 'e', 'u', 1, unnest($texts::VARCHAR[]), NULL, TIMESTAMP '2026-11-20', false`;
const COLUMNS =
  'project_id, timestamp, uuid, event, distinct_id, person_id, properties, elements_chain, received_at, historical';

async function define(names: readonly string[]): Promise<void> {
  for (const name of names)
    await connection.run(
      `INSERT INTO property_definitions (id, project_id, type, name, first_seen_at, last_seen_at, updated_at)
       VALUES (uuid(), 1, 'event', $name, now(), now(), now())`,
      { name },
    );
}

async function store(list: readonly object[]): Promise<void> {
  const texts = listValue(list.map((properties) => JSON.stringify(properties)));
  await connection.run(`INSERT INTO events (${COLUMNS}) SELECT ${ROW}`, { texts });
}

async function storeRecent(list: readonly object[]): Promise<void> {
  const texts = listValue(list.map((properties) => JSON.stringify(properties)));
  await connection.run(
    `INSERT INTO events_recent (seq, ${COLUMNS}, suspect) SELECT row_number() OVER () + (SELECT last_seq FROM events_state), *, false FROM (SELECT ${ROW})`,
    { texts },
  );
}

/** How many rows read differently by a column than by their JSON text. */
async function differing(): Promise<number> {
  let count = 0;
  for (const { column, name, type } of hot.filled()) {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const text = 'json_extract_string(properties, $pointer)';
    const value =
      type === 'String' ? text : `TRY_CAST(regexp_extract(${text}, '^${NUMBER_PATTERN}$') AS DOUBLE)`;
    const found = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER FROM events WHERE ${column} IS DISTINCT FROM ${value}`,
      { pointer },
    );
    count += found.value(0, 0) as number;
  }
  return count;
}

const text = (name: string): HotProperty => ({ name, type: 'String' });
const number = (name: string): HotProperty => ({ name, type: 'Float64' });
const VALUES = ['control', '12', 12, 12.5, -0, 1e300, '1e999', '0x10', ' 7', '', true, null, [1], { a: 'b' }];

test('a queried property has a column, for texts and for numbers, for any values', async () => {
  const name = '$feature/checkout-v2';
  await define([name]);
  await store([...VALUES.map((value) => ({ [name]: value })), {}]);
  hot.recordUse([text(name), number(name)]);
  expect(hot.filled()).toEqual([]);
  await hot.run(turn);
  expect(hot.filled().map(({ type }) => type)).toEqual(['String', 'Float64']);
  expect(await differing()).toBe(0);
  const filled = hot.filled().map(({ column }) => `count(${column})::INTEGER`);
  const counted = await connection.runAndReadAll(`SELECT ${filled.join(', ')} FROM events`);
  expect(counted.getRows()).toEqual([[VALUES.length - 1, 6]]);
});

test('a property without events gets no column', async () => {
  await define(['real']);
  hot.recordUse([text('mistyped'), text('nul\0'), text('x'.repeat(401)), text('real')]);
  await hot.run(turn);
  expect(hot.filled().map(({ name }) => name)).toEqual(['real']);
});

test('names and values of any kind are equal in a column and in JSON', async () => {
  const names = ['$a"b', "it's", '*', '', 'a~b/c', '😀', '$.x', '[0]', '__proto__', 'back\\slash', 'ü '];
  await define(names);
  hot.recordUse(names.flatMap((name) => [text(name), number(name)]));
  await hot.run(turn);
  expect(hot.filled()).toHaveLength(names.length * 2);
  const value = fc.oneof(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));
  const properties = fc.dictionary(fc.constantFrom(...names), value);
  await fc.assert(
    fc.asyncProperty(fc.array(properties, { minLength: 1, maxLength: 20 }), async (list) => {
      await storeRecent(list.map((one) => JSON.parse(JSON.stringify(one).toWellFormed()) as object));
      await turn.compact();
      expect(await differing()).toBe(0);
    }),
    { numRuns: 8 },
  );
});

test('rows that arrive while a column is filled have its value too', async () => {
  await define(['plan']);
  await store([{ plan: 'pro' }]);
  hot.recordUse([text('plan')]);
  const filling = hot.run(turn);
  await storeRecent([{ plan: 'free' }, {}]);
  await filling;
  await turn.compact();
  expect(hot.filled()).toHaveLength(1);
  expect(await differing()).toBe(0);
});

test('a table of several row groups, some rows of which are deleted, is filled completely', async () => {
  await define(['n']);
  await connection.run(
    `INSERT INTO events (${COLUMNS}) SELECT 1, TIMESTAMP '2026-11-20', uuid(), 'e', 'u', 1, '{"n":' || i || '}', NULL,
       TIMESTAMP '2026-11-20', false FROM range(700000) r(i)`,
  );
  await connection.run('DELETE FROM events WHERE rowid BETWEEN 10 AND 200000');
  hot.recordUse([number('n')]);
  for (let looks = 0; looks < 50 && hot.filled().length === 0; looks++) await hot.run(turn);
  expect(hot.filled()).toHaveLength(1);
  expect(await differing()).toBe(0);
});

test('a partly filled column is not read after a restart, and is filled by the next process', async () => {
  await define(['plan']);
  await connection.run('ALTER TABLE events ADD COLUMN p_7 VARCHAR');
  await connection.run(`INSERT INTO hot_columns VALUES ('p_7', 'plan', 'String', false, 3)`);
  await store([{ plan: 'pro' }, { plan: 1 }]);
  await hot.close(turn);
  await open();
  expect(hot.filled()).toEqual([]);
  expect(hot.all()).toHaveLength(1);
  await hot.run(turn);
  expect(hot.filled()).toEqual([expect.objectContaining({ column: 'p_7', name: 'plan' })]);
  expect(await differing()).toBe(0);
});

test('beyond the number of columns the least used one is replaced by one that is used twice as often', async () => {
  const names = Array.from({ length: HOT_COLUMNS + 1 }, (_, n) => `property ${n}`);
  await define(names);
  const [late, ...first] = names.toReversed();
  for (const [n, name] of first.toReversed().entries())
    for (let times = 0; times < (n === 4 ? 2 : 5); times++) hot.recordUse([text(name)]);
  await hot.run(turn);
  expect(hot.filled()).toHaveLength(HOT_COLUMNS);
  for (let times = 0; times < 4; times++) hot.recordUse([text(late!)]);
  await hot.run(turn);
  expect(hot.filled().map(({ name }) => name)).not.toContain(late);
  hot.recordUse([text(late!)]);
  await hot.run(turn);
  const told = hot.filled().map(({ name }) => name);
  expect(told).toContain(late);
  expect(told).not.toContain('property 4');
  expect(told).toHaveLength(HOT_COLUMNS);
  // A statement that was created earlier still reads it.
  await connection.run('SELECT p_30 FROM events');
  now += HOUR;
  await hot.run(turn);
  await expect(connection.run('SELECT p_30 FROM events')).rejects.toThrow(/p_30/);
  expect(hot.all()).toHaveLength(HOT_COLUMNS);
});

test('a property that no project has any more loses its column, and its name is erased', async () => {
  await define(['gone']);
  await store([{ gone: 1 }]);
  hot.recordUse([text('gone')]);
  await hot.run(turn);
  await connection.run('DELETE FROM property_definitions');
  await hot.close(turn);
  await open();
  await hot.run(turn);
  expect(hot.filled()).toEqual([]);
  now += HOUR;
  await hot.run(turn);
  const left = await connection.runAndReadAll(
    'SELECT (SELECT count(*) FROM hot_columns)::INTEGER, (SELECT count(*) FROM erasures)::INTEGER',
  );
  expect(left.getRows()).toEqual([[0, 1]]);
});

test('the use of a column is kept after a restart, and counts half a day later', async () => {
  await define(['plan']);
  for (let times = 0; times < 8; times++) hot.recordUse([text('plan')]);
  await hot.run(turn);
  now += 24 * HOUR;
  await hot.close(turn);
  await open();
  const asked = await connection.runAndReadAll('SELECT asked FROM hot_columns');
  expect(asked.getRows()).toEqual([[4]]);
});

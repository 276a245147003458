import fc from 'fast-check';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { ownerContext } from '../../../test/support/owner-context.ts';
import { migrate } from '../../db/migrate.ts';
import { createResources } from '../../db/resources.ts';
import { newUuid } from '../../lib/ids.ts';
import { silentLog } from '../../lib/log.ts';
import type { EventRow } from './event-row.ts';
import type { OpenParticipant } from './commit-participant.ts';
import { openEventStore, type EventStore, type StoreState } from './event-store.ts';
import type { Appended } from './event-writer.ts';
import { PROMOTED_PROPERTIES, propertyPath } from './promoted-properties.ts';
import { quoteIdentifier, quoteText } from '../../lib/quote-sql.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let store: EventStore;

async function open(participants: readonly OpenParticipant[] = []): Promise<void> {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  store = await openEventStore(ownerContext(instance), participants);
}

afterEach(async () => {
  await store.close();
  connection.closeSync();
  instance.closeSync();
});

function row(event: string, more: Partial<EventRow> = {}): EventRow {
  return {
    projectId: 1,
    uuid: newUuid(),
    hasClientUuid: true,
    event,
    distinctId: 'u1',
    personId: 1,
    timestamp: 1_790_000_000_000_000,
    properties: '{}',
    elementsChain: null,
    receivedAt: 1_790_000_000_000_000,
    historical: false,
    lib: '',
    libVersion: '',
    source: '/batch',
    isAnonymous: false,
    identity: null,
    derived: null,
    propertyList: null,
    addedProperties: [],
    ...more,
  };
}

function append(rows: readonly EventRow[]): Promise<Appended> {
  return new Promise((resolve) => store.append(rows, resolve));
}

const NOT_UTF8 = { bytes: Buffer.from([0x7b, 0xff, 0x7d]), start: 0, end: 3, ending: null };

async function names(): Promise<string[]> {
  const rows = await connection.runAndReadAll('SELECT event FROM all_events ORDER BY event');
  return rows.getRows().map(([event]) => event as string);
}

test('the person limit is above all person ids, by an eighth at most, and is stable as they grow', async () => {
  let last = 0;
  await open([async () => ({ lastPersonId: () => last })]);
  const limitFor = async (highest: number): Promise<number> => {
    last = highest;
    return ((await store.call('store.state', { projectId: 1 })) as StoreState).personLimit!;
  };
  expect(await limitFor(0)).toBe(65_536);
  expect(await limitFor(65_535)).toBe(65_536);
  expect(await limitFor(65_536)).toBe(65_536 + 8192);
  expect(await limitFor(65_536 + 8191)).toBe(65_536 + 8192);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 65_535, max: 2 ** 40 }), async (highest) => {
      const limit = await limitFor(highest);
      expect(limit).toBeGreaterThan(highest);
      expect(limit).toBeLessThanOrEqual((highest + 1) * 1.125);
      expect(await limitFor(limit - 1)).toBe(limit);
    }),
  );
});

test('an event can be queried as soon as its append is acknowledged', async () => {
  await open();
  await append([row('a'), row('b')]);
  expect(await names()).toEqual(['a', 'b']);
});

test('requests that arrive together share a commit', async () => {
  await open();
  await Promise.all(Array.from({ length: 50 }, (_, n) => append([row(`e${n}`)])));
  const { commit, events } = await store.stats();
  expect(events).toBe(50);
  expect(commit.count).toBeLessThan(5);
});

test('two concurrent identical requests are stored once, and both are answered as committed', async () => {
  await open();
  const rows = [row('a'), row('b')];
  const [first, second] = await Promise.all([append(rows), append(rows)]);
  expect(first).toMatchObject({ outcome: 'committed', duplicates: 0 });
  expect(second).toMatchObject({ outcome: 'committed', duplicates: 2 });
  expect(await names()).toEqual(['a', 'b']);
});

test('the same UUID in another project is another event', async () => {
  await open();
  const event = row('a');
  await append([event, { ...event, projectId: 2 }]);
  expect(await names()).toEqual(['a', 'a']);
});

test('a UUID created by the server never counts as a retry', async () => {
  await open();
  const event = row('a', { hasClientUuid: false });
  await append([event, event]);
  expect(await names()).toEqual(['a', 'a']);
});

test('an event that got its UUID from the server is recognized when it comes again with it, as in an exported file', async () => {
  await open();
  const event = row('a', { hasClientUuid: false });
  await append([event]);
  expect(await append([{ ...event, hasClientUuid: true }])).toMatchObject({ duplicates: 1 });
  expect(await names()).toEqual(['a']);
});

test('a retry after a restart is recognized, compacted or not', async () => {
  await open();
  const old = row('old');
  const recent = row('recent');
  await append([old]);
  await store.compactAll();
  await append([recent]);
  await store.close();
  store = await openEventStore(ownerContext(instance));
  expect(await append([old, recent])).toMatchObject({ outcome: 'committed', duplicates: 2 });
  expect(await names()).toEqual(['old', 'recent']);
});

test('a late retry beyond the memory is never counted, and compaction removes it', async () => {
  await open();
  const old = row('old');
  await append([old]);
  await store.compactAll();
  // What the memory of two million has forgotten arrives as a suspect.
  await connection.run(
    `INSERT INTO events_recent SELECT 1000 AS seq, project_id, timestamp, uuid, 'old', distinct_id, person_id, properties, elements_chain, received_at, historical, true FROM events`,
  );
  expect(await names()).toEqual(['old']);
  await append([row('new')]);
  expect(await names()).toEqual(['new', 'old']);
  await store.compactAll();
  const left = await connection.runAndReadAll('SELECT count(*)::INTEGER FROM events_recent');
  expect(left.value(0, 0)).toBe(0);
  expect(await names()).toEqual(['new', 'old']);
});

test('a late retry of an event that is not compacted yet is never counted either, and compaction removes it', async () => {
  await open();
  await append([row('recent')]);
  await connection.run(
    `INSERT INTO events_recent SELECT 1000 AS seq, project_id, timestamp, uuid, event, distinct_id, person_id, properties, elements_chain, received_at, historical, true FROM events_recent`,
  );
  expect(await names()).toEqual(['recent']);
  await store.compactAll();
  await append([row('new')]);
  await store.compactAll();
  expect(await names()).toEqual(['new', 'recent']);
});

test('rows are moved with more memory than there is at rest, so that commits beside them find theirs', async () => {
  await open();
  await store.close();
  const resources = await createResources(await instance.connect(), 1_073_741_824, 2);
  onTestFinished(() => resources.close());
  store = await openEventStore(ownerContext(instance, { resources }));
  await append([row('recent')]);
  await connection.run(
    `INSERT INTO events_recent SELECT 1000 + i AS seq, project_id, timestamp, uuid(), event, distinct_id, person_id, properties, elements_chain, received_at, historical, false
     FROM events_recent, range(50000) r(i)`,
  );
  const limits = new Set<string>();
  let isMoving = true;
  const moving = store.compactAll().finally(() => (isMoving = false));
  while (isMoving) {
    const read = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`);
    limits.add(String(read.value(0, 0)));
  }
  await moving;
  expect([...limits]).toContain('512.0 MiB');
});

test('only the event that cannot be stored is left out', async () => {
  await open();
  const bad = row('bad', { properties: NOT_UTF8 });
  const result = await append([row('a'), bad, row('c')]);
  expect(result).toMatchObject({ outcome: 'committed', notStorable: [bad] });
  expect(await names()).toEqual(['a', 'c']);
});

test('of a long request with an event that cannot be stored, all others are stored once', async () => {
  await open();
  const rows = Array.from({ length: 5_000 }, (_, n) => row(`e${n}`));
  rows[4_500] = row('bad', { properties: NOT_UTF8 });
  const result = await append(rows);
  expect(result).toMatchObject({ outcome: 'committed', notStorable: [{ event: 'bad' }] });
  const stored = await names();
  expect(stored).toHaveLength(4_999);
  expect(new Set(stored).size).toBe(4_999);
});

test('a request with an invalid event does not affect those that share its commit', async () => {
  await open();
  const [first, second] = await Promise.all([
    append([row('a')]),
    append([row('bad', { properties: NOT_UTF8 })]),
    append([row('c')]),
  ]);
  expect(first).toMatchObject({ outcome: 'committed' });
  expect(second).toMatchObject({ notStorable: [{ event: 'bad' }] });
  expect(await names()).toEqual(['a', 'c']);
});

test('compaction sorts the events of a step by project, event and time', async () => {
  await open();
  const places = [1, 2].flatMap((projectId) =>
    ['view', 'buy'].flatMap((event) => [5, 3, 9].map((n) => ({ projectId, event, n }))),
  );
  const mixed = places.toSorted((a, b) => a.n - b.n || b.projectId - a.projectId);
  await append(
    mixed.map(({ projectId, event, n }) => row(event, { projectId, timestamp: 1_790_000_000_000_000 + n })),
  );
  await store.compactAll();
  const stored = await connection.runAndReadAll(
    'SELECT project_id, event, (epoch_us(timestamp) - 1790000000000000)::INTEGER FROM events',
  );
  const expected = [1, 2].flatMap((projectId) =>
    ['buy', 'view'].flatMap((event) => [3, 5, 9].map((n) => [projectId, event, n])),
  );
  expect(stored.getRows()).toEqual(expected);
});

const VALUES = [
  'text',
  '',
  'quote " backslash \\ slash / é 語 \u0001',
  0,
  -1.5,
  1e300,
  12345678901234567890,
  true,
  false,
  null,
  [1, 'two', null],
  { nested: { deep: ['x'] } },
  [],
  {},
];

test('a typed column equals the JSON text, for values of any type', async () => {
  await open();
  const rows = PROMOTED_PROPERTIES.flatMap((name) =>
    VALUES.map((value, index) =>
      row(`${name} ${index}`, { properties: JSON.stringify({ before: 1, [name]: value }) }),
    ),
  );
  await append(rows);
  await expectSameBothWays(rows.length);
  const before = await readAll();
  await store.compactAll();
  await expectSameBothWays(rows.length);
  expect(await readAll()).toEqual(before);
});

test('typed columns and JSON text agree on any properties', async () => {
  await open();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.constantFrom(...PROMOTED_PROPERTIES, 'other'), fc.jsonValue()), {
        minLength: 1,
        maxLength: 20,
      }),
      async (list) => {
        await append(
          list.map((properties) => row('any', { properties: JSON.stringify(properties).toWellFormed() })),
        );
        const before = await readAll();
        await store.compactAll();
        expect(await readAll()).toEqual(before);
      },
    ),
    { numRuns: 20 },
  );
});

async function readAll(): Promise<unknown[]> {
  const columns = PROMOTED_PROPERTIES.map(quoteIdentifier).join(', ');
  return (
    await connection.runAndReadAll(`SELECT uuid, ${columns} FROM all_events ORDER BY uuid`)
  ).getRowsJson();
}

async function expectSameBothWays(count: number): Promise<void> {
  const differs = PROMOTED_PROPERTIES.map(
    (name) =>
      `${quoteIdentifier(name)} IS DISTINCT FROM json_extract_string(properties, ${quoteText(propertyPath(name))})`,
  ).join(' OR ');
  const rows = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER, count(*) FILTER (${differs})::INTEGER FROM all_events`,
  );
  expect(rows.getRows()).toEqual([[count, 0]]);
}

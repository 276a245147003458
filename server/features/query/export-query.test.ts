import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { iso } from '../../../test/support/app-events.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const PATH = '/api/projects/1/burrow/query/export/';

/** An app that keeps its files in a folder of its own. */
async function openWithFolder(): Promise<{ app: TestApp; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-export-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const app = await openTestApp({ config: { ephemeral: false, dataDir: folder } });
  await sendEvents(app, [
    { event: 'signup', timestamp: iso(0), properties: { plan: '=1+1', seats: 3 } },
    { event: 'view', timestamp: iso(60), properties: { plan: 'a,"b"', seats: null } },
  ]);
  return { app, folder };
}

async function take(
  app: TestApp,
  query: unknown,
  format: string,
): Promise<{ status: number; type: string; bytes: Buffer }> {
  const answer = await fetch(`${app.url}${PATH}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, format }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type')!, bytes };
}

/** The rows of a Parquet file. */
async function readParquet(app: TestApp, folder: string, bytes: Buffer): Promise<unknown[]> {
  const path = join(folder, 'taken.parquet');
  await writeFile(path, bytes);
  return await app.store.analytics.all(`SELECT * FROM read_parquet('${path}')`);
}

const EVENTS = {
  kind: 'HogQLQuery',
  query:
    'select event, properties.plan as plan, toFloat(properties.seats) as `seats; drop`, timestamp from events order by timestamp',
};

test('a table is exported as CSV, JSON and Parquet, and no files are left', async () => {
  const { app, folder } = await openWithFolder();
  const csv = await take(app, EVENTS, 'csv');
  expect(csv).toMatchObject({ status: 200, type: 'text/csv; charset=utf-8' });
  expect(csv.bytes.toString()).toBe(
    `event,plan,seats_ drop,timestamp\nsignup,'=1+1,3,2026-11-01T00:00:00.000000Z\nview,"a,""b""",,2026-11-01T00:01:00.000000Z\n`,
  );
  const json = await take(app, EVENTS, 'json');
  const [first, second] = JSON.parse(json.bytes.toString());
  expect(first).toEqual({
    event: 'signup',
    plan: '=1+1',
    'seats_ drop': 3,
    timestamp: '2026-11-01T00:00:00.000000Z',
  });
  expect(second).toMatchObject({ plan: 'a,"b"', 'seats_ drop': null });
  const parquet = await take(app, EVENTS, 'parquet');
  expect(parquet.type).toBe('application/vnd.apache.parquet');
  expect(await readParquet(app, folder, parquet.bytes)).toEqual([first, second]);
  await expect.poll(() => readdir(join(folder, 'exports'))).toEqual([]);
});

test('the persons behind a point of an insight are exported', async () => {
  const { app } = await openWithFolder();
  const dateRange = { date_from: '2026-11-01', date_to: '2026-11-02' };
  const source = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }], dateRange };
  const point = { kind: 'InsightActorsQuery', source };
  const csv = await take(app, point, 'csv');
  expect(csv.bytes.toString()).toMatch(
    /^actor_id,event_count,event_distinct_ids\n[\da-f-]{36},1,"\["".+""\]"\n$/,
  );
  const json = await take(app, point, 'json');
  expect(JSON.parse(json.bytes.toString())).toEqual([
    { actor_id: expect.any(String), event_count: 1, event_distinct_ids: [expect.any(String)] },
  ]);
});

test('a file has all rows, also beyond the limit of a response, unless the query has a limit', async () => {
  const { app, folder } = await openWithFolder();
  const query = 'select arrayJoin(range(60000)) as n, event from events';
  const lines = async (text: string) =>
    (await take(app, { kind: 'HogQLQuery', query: text }, 'csv')).bytes.toString().trim().split('\n').length;
  expect(await lines(query)).toBe(120_001);
  expect(await lines(`${query} limit 7`)).toBe(8);
  const parquet = await take(app, { kind: 'HogQLQuery', query: `${query} limit 60001` }, 'parquet');
  expect(await readParquet(app, folder, parquet.bytes)).toHaveLength(60_001);
  const events = await take(app, { kind: 'EventsQuery', select: ['event', 'event'], after: 'all' }, 'json');
  expect(JSON.parse(events.bytes.toString())).toEqual([
    { event: 'view', event_2: 'view' },
    { event: 'signup', event_2: 'signup' },
  ]);
});

test('the persons of a data point are exported, also when finding them requires other queries first', async () => {
  const { app } = await openWithFolder();
  const source = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'view' }],
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    dateRange: { date_from: '2026-10-31', date_to: '2026-11-01' },
  };
  const point = { kind: 'InsightActorsQuery', day: '2026-11-01', series: 0, breakdown: 'a,"b"', source };
  const persons = { kind: 'ActorsQuery', select: ['event_count', 'created_at'], source: point };
  const { bytes } = await take(app, persons, 'json');
  expect(JSON.parse(bytes.toString())).toEqual([{ event_count: 1, created_at: expect.any(String) }]);
});

test('an insight is exported as its table', async () => {
  const { app, folder } = await openWithFolder();
  const trend = {
    kind: 'TrendsQuery',
    series: [
      { kind: 'EventsNode', event: 'signup' },
      { kind: 'EventsNode', event: 'view' },
    ],
    dateRange: { date_from: '2026-10-31', date_to: '2026-11-01' },
  };
  expect((await take(app, trend, 'csv')).bytes.toString()).toBe(
    'date,signup,view\n2026-10-31,0,0\n2026-11-01,1,1\n',
  );
  const parquet = await take(app, { kind: 'InsightVizNode', source: trend }, 'parquet');
  expect(await readParquet(app, folder, parquet.bytes)).toMatchObject([
    { signup: 0, view: 0 },
    { signup: 1, view: 1 },
  ]);
  await expect.poll(() => readdir(join(folder, 'exports'))).toEqual([]);
});

test('a failed query is an error without a file', async () => {
  const { app, folder } = await openWithFolder();
  const refused: [unknown, string, string][] = [
    [EVENTS, 'xlsx', 'invalid_choice'],
    [{ kind: 'HogQLQuery', query: 'select x' }, 'csv', 'invalid_input'],
    [
      { kind: 'HogQLQuery', query: `select toInt(event)::int + 1 from events where throwIf(1, 'no')` },
      'csv',
      'invalid_input',
    ],
    [undefined, 'csv', 'invalid_input'],
  ];
  for (const [query, format, code] of refused) {
    const { status, bytes } = await take(app, query, format);
    expect([status, JSON.parse(bytes.toString()).code], JSON.stringify(query)).toEqual([400, code]);
  }
  expect(await readdir(join(folder, 'exports')).catch(() => [])).toEqual([]);
});

import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../db/client.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import type { ImportJson, ImportPreviewJson } from './index.ts';

const PATH = '/api/projects/1/burrow/imports/';

async function upload(app: TestApp, name: string, body: string | Buffer): Promise<ImportJson> {
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(body.length) };
  const answer = await app.ask(`${PATH}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: typeof body === 'string' ? Buffer.from(body) : body,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

async function preview(app: TestApp, id: string, settings: object = {}): Promise<ImportPreviewJson> {
  const answer = await app.ask(`${PATH}${id}/preview/`, { method: 'POST', body: settings });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Starts an import and waits until it has ended. */
async function run(app: TestApp, id: string, settings: object = {}): Promise<ImportJson> {
  const answer = await app.ask(`${PATH}${id}/start/`, { method: 'POST', body: settings });
  expect(answer.status, answer.text).toBe(200);
  expect(app.errors).toEqual([]);
  let found: ImportJson = answer.json;
  await expect
    .poll(async () => {
      found = (await app.ask(`${PATH}${id}/`)).json;
      return found.state;
    })
    .not.toMatch(/running|checking/);
  return found;
}

/** An app with a data folder, and a second project that is to be deleted. */
async function openWithProject() {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-imports-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const app = await openTestApp({ config: { ephemeral: false, dataDir } });
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Short' },
  });
  return { app, dataDir, made, path: `/api/projects/${made.json.id}/burrow/imports/` };
}

async function rowsOf(app: TestApp, sql: string): Promise<unknown[][]> {
  const body = { query: { kind: 'HogQLQuery', query: sql }, refresh: 'force_blocking' };
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results;
}

const TABLE = `when,who,what,amount,active,zip
2026-03-02 08:15:30,u1,signed up,,true,01234
2026-03-02T09:00:00Z,u2,paid,9.5,false,99
,u3,paid,1,true,1
`;

describe('a table with columns of its own', () => {
  test('M9.12/upload, M9.12/preview, M9.12/mend is uploaded, shown as events, and imported with times of its zone; rows that are none are reported', async () => {
    const app = await openTestApp();
    const { id, state, bytes } = await upload(app, 'paid.csv', TABLE);
    expect([state, bytes]).toEqual(['uploaded', TABLE.length]);

    const settings = {
      time_zone: 'Europe/Berlin',
      columns: [
        { column: 'when', becomes: 'timestamp' },
        { column: 'who', becomes: 'distinct_id' },
        { column: 'what', becomes: 'event' },
        { column: 'amount', becomes: 'property' },
        { column: 'active', becomes: 'person_property' },
        { column: 'zip', becomes: 'property', name: 'postcode' },
      ],
    };
    const shown = await preview(app, id, settings);
    expect(shown).toMatchObject({ kind: 'csv', separator: ',', encoding: 'utf-8', guessed_format: 'custom' });
    expect(shown.rows[0]).toMatchObject({
      row: 2,
      events: [
        {
          event: 'signed up',
          distinct_id: 'u1',
          timestamp: '2026-03-02T07:15:30.000Z',
          properties: { postcode: '01234', $set: { active: true } },
        },
      ],
      problem: null,
    });
    expect(shown.rows[2]).toMatchObject({ row: 4, events: [], problem: 'There is no time' });

    const done = await run(app, id, settings);
    expect(done).toMatchObject({ state: 'done', progress: 1, problem: null });
    expect(done.report).toMatchObject({
      rows: 3,
      events: 2,
      distinct_ids: 2,
      known_events: 0,
      rejected: 1,
      problems: [{ reason: 'There is no time', count: 1, row: 4 }],
      first_event: '2026-03-02T07:15:30.000Z',
      last_event: '2026-03-02T09:00:00.000Z',
    });
    expect(
      await rowsOf(
        app,
        `select event, distinct_id, toString(toTimeZone(timestamp, 'UTC')), properties.amount, properties.postcode, person.properties.active from events order by timestamp`,
      ),
    ).toEqual([
      ['signed up', 'u1', '2026-03-02 07:15:30.000000', null, '01234', true],
      ['paid', 'u2', '2026-03-02 09:00:00.000000', 9.5, '99', false],
    ]);

    const [entry] = (await app.ask('/api/projects/1/activity_log/')).json.results;
    expect(entry).toMatchObject({ activity: 'events imported', scope: 'Project' });

    const rejected = await app.ask(`${PATH}${id}/rejected/`);
    expect(rejected.headers['content-disposition']).toContain('paid-not-imported.csv');
    expect(rejected.text).toBe(
      'when,who,what,amount,active,zip,import_problem\n,u3,paid,1,true,1,There is no time\n',
    );
    const mended = rejected.text.replace('\n,u3', '\n2026-03-03 10:00:00,u3');
    const again = await upload(app, 'paid-not-imported.csv', mended);
    expect((await run(app, again.id, settings)).report).toMatchObject({ rows: 1, events: 1, rejected: 0 });
  });

  test('has its columns guessed by their names, whatever separates them', async () => {
    const app = await openTestApp();
    const { id } = await upload(
      app,
      'x.csv',
      'Created At;User ID;Event Name;plan\n2026-01-02;7;opened;pro\n',
    );
    const shown = await preview(app, id);
    expect(shown.separator).toBe(';');
    expect(shown.settings.columns.map(({ becomes }) => becomes)).toEqual([
      'timestamp',
      'distinct_id',
      'event',
      'property',
    ]);
  });

  test('M9.12/once that is imported twice is stored one time, and equal rows of it are as many events', async () => {
    const app = await openTestApp();
    const table =
      'time,user,event\n2026-01-02 10:00,a,seen\n2026-01-02 10:00,a,seen\n2026-01-02 10:01,a,seen\n';
    const first = await upload(app, 'a.csv', table);
    expect((await run(app, first.id)).report).toMatchObject({ events: 3, known_events: 0 });
    app.clock.now += 60_000;
    const second = await upload(app, 'b.csv', table);
    expect((await run(app, second.id, { dry_run: true })).report).toMatchObject({
      events: 3,
      known_events: 3,
    });
    expect(await run(app, second.id)).toMatchObject({
      state: 'done',
      report: { events: 3, known_events: 3 },
    });
    expect(await rowsOf(app, 'select count() from events')).toEqual([[3]]);
  });

  test('writes nothing in a dry run', async () => {
    const app = await openTestApp();
    const { id } = await upload(app, 'a.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    expect(await run(app, id, { dry_run: true })).toMatchObject({
      state: 'checked',
      report: { events: 1, known_events: 0 },
    });
    expect(await rowsOf(app, 'select count() from events')).toEqual([[0]]);
  });
});

test('M9.12/equal events that were exported and are imported into another server are equal, as lines of JSON and as Parquet', async () => {
  const app = await openTestApp();
  const sent = [
    {
      event: '$pageview',
      uuid: '0198c0de-0000-7000-8000-000000000001',
      distinct_id: 'ada',
      timestamp: '2026-02-03T04:05:06.123456Z',
      properties: `{"big":12345678901234567890,"one":1.0,"z":1,"a":"ü \\"q\\"","$ip":"8.8.8.8","$elements_chain":"a.buy:text=\\"Buy\\""}`,
    },
    {
      event: '$identify',
      uuid: '0198c0de-0000-7000-8000-000000000002',
      distinct_id: 'ada@x.test',
      timestamp: '2026-02-03T04:06:00Z',
      properties: '{"$anon_distinct_id":"ada","$set":{"plan":"pro"}}',
    },
  ];
  const batch = sent.map(({ properties, ...event }) =>
    JSON.stringify(event).replace(/\}$/, `,"properties":${properties}}`),
  );
  const body = `{"api_key":"${TEST_TOKEN}","batch":[${batch.join(',')}]}`;
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
  const columns = `toString(uuid) as uuid, event, distinct_id, toString(person_id) as person_id, properties, person.properties as person_properties, elements_chain, toTimeZone(timestamp, 'UTC') as timestamp`;
  const query = { kind: 'HogQLQuery', query: `select ${columns} from events order by timestamp` };
  const stored = await rowsOf(app, query.query);

  const parquet = await fetch(`${app.url}/api/projects/1/burrow/query/export/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, format: 'parquet' }),
  });
  const lines = stored.map(
    ([uuid, event, id, person, properties, , chain, timestamp]) =>
      `{"uuid":${JSON.stringify(uuid)},"event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(id)},"person_id":"${String(person)}","properties":${String(properties)},"elements_chain":${JSON.stringify(chain)},"timestamp":"${String(timestamp)}"}\n`,
  );
  // One member of gzip for each line, as PostHog writes them.
  const members = Buffer.concat(lines.map((line) => gzipSync(line)));
  for (const [name, file] of [
    ['events.jsonl.gz', members],
    ['events.parquet.zst', Buffer.from(await parquet.arrayBuffer())],
  ] as const) {
    const other = await openTestApp();
    const { id } = await upload(other, name, file);
    expect((await preview(other, id)).guessed_format, name).toBe('posthog');
    expect((await run(other, id)).report, name).toMatchObject({ rows: 2, events: 2, rejected: 0 });
    const withoutPerson = (rows: unknown[][]) => rows.map((row) => row.filter((_, at) => at !== 3));
    expect(withoutPerson(await rowsOf(other, query.query)), name).toEqual(withoutPerson(stored));
    expect(await rowsOf(other, 'select count(distinct person_id) from events')).toEqual([[1]]);
  }
});

describe('an import', () => {
  test('M9.12/once goes on by itself when its server was closed, and the end is exactly right', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'burrow-imports-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const store = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
    onTestFinished(() => store.close());
    const config = { ephemeral: false, dataDir };
    const first = await openTestApp({ store, config });
    const rows = Array.from(
      { length: 40_000 },
      (_, n) => `2026-01-02 10:00:0${n % 10},u${n % 500},seen,${n}\n`,
    );
    const { id } = await upload(first, 'a.csv', `time,user,event,n\n${rows.join('')}`);
    await first.ask(`${PATH}${id}/start/`, { method: 'POST', body: {} });
    await expect.poll(async () => (await first.ask(`${PATH}${id}/`)).json.progress).toBeGreaterThan(0);
    await first.app.close();
    const second = await openTestApp({ store, config });
    await expect.poll(async () => (await second.ask(`${PATH}${id}/`)).json.state).toBe('done');
    expect((await second.ask(`${PATH}${id}/`)).json.report).toMatchObject({ rows: 40_000, events: 40_000 });
    expect(await rowsOf(second, 'select count(), count(distinct properties.n) from events')).toEqual([
      [40_000, 40_000],
    ]);
  });

  test('can be removed, and then its file is deleted while its events stay', async () => {
    const app = await openTestApp();
    const { id } = await upload(app, 'a.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    await run(app, id);
    expect((await app.ask(`${PATH}${id}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(PATH)).json.results).toEqual([]);
    expect((await app.ask(`${PATH}${id}/rejected/`)).status).toBe(404);
    expect(await rowsOf(app, 'select count() from events')).toEqual([[1]]);
  });

  test('of a file that ends too early stops with the reason, and goes on from there once the rest is there', async () => {
    const app = await openTestApp();
    const row = (n: number) =>
      JSON.stringify({ event: 'seen', user_id: `u${n}`, time: 1_767_261_600 + n, n });
    const whole = gzipSync(Array.from({ length: 30_000 }, (_, n) => `${row(n)}\n`).join(''));
    const { id } = await upload(app, 'a.jsonl.gz', whole.subarray(0, whole.length - 2_000));
    const ended = await run(app, id);
    expect(ended).toMatchObject({
      state: 'failed',
      problem: 'The file cannot be unpacked: it is damaged or incomplete.',
    });
    const again = await upload(app, 'a.jsonl.gz', whole);
    expect(await run(app, again.id)).toMatchObject({ state: 'done', report: { events: 30_000 } });
    expect(await rowsOf(app, 'select count(), count(distinct uuid) from events')).toEqual([[30_000, 30_000]]);
  });

  test('of a deleted project leaves no file and no report', async () => {
    const { app, dataDir, made, path } = await openWithProject();
    const sent = await app.ask(`${path}?name=a.csv`, { method: 'POST', body: Buffer.from('time,user\n') });
    expect(await readdir(join(dataDir, 'imports'))).toEqual([sent.json.id]);
    await app.ask(`/api/projects/${made.json.id}/`, { method: 'DELETE' });
    await expect.poll(() => readdir(join(dataDir, 'imports'))).toEqual([]);
  });

  test('rows that the store refuses are in the file of rows to mend with their reason, also after it went on', async () => {
    const app = await openTestApp();
    const deep = `${'{""a"":'.repeat(1_100)}1${'}'.repeat(1_100)}`;
    const rows = Array.from({ length: 80_000 }, (_, n) => `2026-01-02 10:00,u${n % 9},seen,"{""n"":${n}}"\n`);
    rows[10] = `2026-01-02 10:00,u1,deep,"${deep}"\n`;
    rows[79_990] = rows[10];
    const { id } = await upload(app, 'a.csv', `time,user,event,properties\n${rows.join('')}`);
    await app.ask(`${PATH}${id}/start/`, { method: 'POST', body: {} });
    await expect
      .poll(async () => (await app.ask(`${PATH}${id}/`)).json.progress, { interval: 5 })
      .toBeGreaterThan(0);
    const canceled: ImportJson = (await app.ask(`${PATH}${id}/cancel/`, { method: 'POST' })).json;
    expect(canceled.state).toBe('canceled');
    expect(canceled.report!.rejected).toBeGreaterThan(0);
    const { report } = await run(app, id);
    expect(report).toMatchObject({
      rows: 80_000,
      events: 79_998,
      rejected: 2,
      problems: [{ count: 2, row: 12 }],
    });
    const rejected = (await app.ask(`${PATH}${id}/rejected/`)).text.split('\n');
    const line = `2026-01-02 10:00,u1,deep,"${deep}",${report!.problems[0]!.reason}`;
    expect(rejected).toEqual(['time,user,event,properties,import_problem', line, line, '']);
  });

  test('counts all events that the project had before', async () => {
    const app = await openTestApp();
    const rows = Array.from({ length: 50_000 }, (_, n) => `2026-01-02 10:00,u${n % 9},seen,${n}\n`).join('');
    const table = `time,user,event,n\n${rows}`;
    await run(app, (await upload(app, 'a.csv', table)).id);
    const again = await upload(app, 'b.csv', table);
    expect((await run(app, again.id, { dry_run: true })).report).toMatchObject({
      events: 50_000,
      known_events: 50_000,
    });
  });

  test.each([
    [
      'capture is paused',
      'Capture is paused',
      (store: Store, isSo: boolean) =>
        store.service('capture').call({ kind: 'capture.pause', isPaused: isSo }),
    ],
    [
      'its project only shows events',
      'only shows events',
      async (store: Store, isSo: boolean) => {
        await store.db.run('UPDATE projects SET settings = $settings WHERE id = 1', {
          settings: JSON.stringify({ inspect_only: isSo }),
        });
        await store.service('capture').call({ kind: 'projects.refresh' });
      },
    ],
  ])('ends when %s while a batch is on its way, and goes on later without a gap', async (_, text, change) => {
    const app = await openTestApp();
    const { id } = await upload(app, 'a.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    // The store thread is the first that has it.
    await change(app.store, true);
    const ended = await run(app, id);
    expect([ended.state, ended.problem]).toEqual(['failed', expect.stringContaining(text)]);
    await change(app.store, false);
    expect(await run(app, id)).toMatchObject({ state: 'done', report: { events: 1, rejected: 0 } });
    expect(await rowsOf(app, 'select count() from events')).toEqual([[1]]);
  });

  test('whose file cannot be removed at its end is done all the same, and others can start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'burrow-imports-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const app = await openTestApp({ config: { ephemeral: false, dataDir } });
    const rows = Array.from({ length: 40_000 }, (_, n) => `2026-01-02 10:00,u${n % 9},seen,${n}\n`).join('');
    const { id } = await upload(app, 'a.csv', `time,user,event,n\n${rows}`);
    await app.ask(`${PATH}${id}/start/`, { method: 'POST', body: {} });
    await expect.poll(async () => (await app.ask(`${PATH}${id}/`)).json.progress).toBeGreaterThan(0);
    // A folder in its place is not removed as a file.
    const file = join(dataDir, 'imports', id, 'file');
    await rename(file, `${file}-read`);
    await mkdir(file);
    await expect.poll(async () => (await app.ask(`${PATH}${id}/`)).json.state).toBe('done');
    await expect
      .poll(() => app.errors.splice(0))
      .toMatchObject([{ message: 'The end of an import could not be kept' }]);
    const next = await upload(app, 'b.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    expect((await run(app, next.id)).state).toBe('done');
  });

  test('keeps its file when a project is deleted, also beyond a thousand others and while it arrives', async () => {
    const { app, dataDir, made, path } = await openWithProject();
    await app.ask(`${path}?name=a.csv`, { method: 'POST', body: Buffer.from('time,user\n') });
    const kept = await upload(app, 'a.csv', 'time,user\n');
    await app.store.db.run(
      `INSERT INTO imports (id, project_id, name, bytes, state, stored_rows, progress, not_stored, created_at)
       SELECT gen_random_uuid(), 1, 'a.csv', 1, 'uploaded', 0, 0, '[]', TIMESTAMP '2026-12-01' FROM range(1100)`,
    );
    const uploads = Promise.all(Array.from({ length: 20 }, () => upload(app, 'b.csv', 'time,user\n')));
    await app.ask(`/api/projects/${made.json.id}/`, { method: 'DELETE' });
    const ids = [kept, ...(await uploads)].map(({ id }) => id);
    await expect
      .poll(async () => (await readdir(join(dataDir, 'imports'))).toSorted())
      .toEqual(ids.toSorted());
  });

  test('is of its project, and needs the right to write', async () => {
    const app = await openTestApp();
    const { id } = await upload(app, 'a.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    const reader = await createKey(app, ['project:read']);
    expect((await app.ask(`${PATH}${id}/`, { key: reader })).status).toBe(200);
    for (const [path, method] of [
      [`${PATH}?name=x`, 'POST'],
      [`${PATH}${id}/preview/`, 'POST'],
      [`${PATH}${id}/start/`, 'POST'],
      [`${PATH}${id}/`, 'DELETE'],
      [`${PATH}${id}/rejected/`, 'GET'],
    ] as const)
      expect(
        (await app.ask(path, { method, key: reader, ...(method === 'POST' && { body: {} }) })).status,
      ).toBe(403);
    expect((await app.ask(`${PATH}${id}/`, { key: null })).status).toBe(401);
    expect((await app.ask(`${PATH}../../../etc/passwd/`)).status).toBe(404);
    expect((await app.ask(`${PATH}0198c0de-0000-4000-8000-000000000001/`)).status).toBe(404);
  });

  test('does not start while capture is paused or another one runs', async () => {
    const app = await openTestApp();
    const rows = Array.from({ length: 60_000 }, (_, n) => `2026-01-02 10:00,u${n % 9},seen,${n}\n`).join('');
    const first = await upload(app, 'a.csv', `time,user,event,n\n${rows}`);
    const second = await upload(app, 'b.csv', 'time,user,event\n2026-01-02 10:00,a,seen\n');
    const start = (id: string) => app.ask(`${PATH}${id}/start/`, { method: 'POST', body: {} });
    await start(first.id);
    expect((await start(second.id)).status).toBe(409);
    const ended = await app.ask(`${PATH}${first.id}/cancel/`, { method: 'POST' });
    expect(ended.json.state).toBe('canceled');
    await app.ask('/api/burrow/capture/', { method: 'PUT', body: { is_paused: true } });
    const refused = await start(second.id);
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining('Capture is paused'),
    ]);
    await app.ask('/api/burrow/capture/', { method: 'PUT', body: { is_paused: false } });
    expect(await run(app, first.id)).toMatchObject({ state: 'done', report: { events: 60_000 } });
    expect(await rowsOf(app, 'select count(distinct properties.n) from events')).toEqual([[60_000]]);
  });

  test('of sums is refused with the reason', async () => {
    const app = await openTestApp();
    const { id } = await upload(
      app,
      'imported_visitors_20260101_20260131.csv',
      'date,visitors,pageviews,bounces,visits,visit_duration\n2026-01-01,5,9,1,6,300\n',
    );
    expect((await preview(app, id)).refusal).toContain('Plausible');
    const answer = await app.ask(`${PATH}${id}/start/`, { method: 'POST', body: {} });
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_input']);
  });

  test('of an unreadable file is refused with the reason', async () => {
    const app = await openTestApp();
    for (const [body, text] of [
      [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]), 'zstd'],
      [Buffer.from('PAR1 and nothing else'), 'Parquet'],
      [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0]), 'archive'],
      [Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(30, 7)]), 'damaged'],
    ] as const) {
      const { id } = await upload(app, 'x', body);
      const answer = await app.ask(`${PATH}${id}/preview/`, { method: 'POST', body: {} });
      expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining(text)]);
    }
    const empty = await app.ask(`${PATH}?name=x`, { method: 'POST', body: Buffer.alloc(0) });
    expect([empty.status, empty.json.detail]).toEqual([400, 'The file is empty.']);
  });

  test('settings can be saved with a name, and are replaced by that name', async () => {
    const app = await openTestApp();
    const path = '/api/projects/1/burrow/import_mappings/';
    const settings = { format: 'custom', columns: [{ column: 'a', becomes: 'event' }] };
    await app.ask(path, { method: 'POST', body: { name: 'Orders', settings } });
    await app.ask(path, {
      method: 'POST',
      body: { name: 'Orders', settings: { ...settings, time_zone: 'Asia/Tokyo' } },
    });
    const { results } = (await app.ask(path)).json;
    expect(results).toMatchObject([{ name: 'Orders', settings: { time_zone: 'Asia/Tokyo' } }]);
    expect((await app.ask(`${path}${results[0].id}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(path)).json.results).toEqual([]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { createProject } from '../../../test/support/owner-calls.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const PATH = '/api/projects/1/burrow/forwarding/';
const UUID = '0190f0c1-1111-7000-8000-00000000000';

const allow = (app: TestApp, isOn = true) =>
  app.ask('/api/burrow/outgoing/forwarding/', { method: 'PUT', body: { is_on: isOn } });
const put = (app: TestApp, host: string, api_key = TEST_TOKEN) =>
  app.ask(PATH, { method: 'PUT', body: { host, api_key } });
const post = (app: TestApp, verb: string, body?: object) =>
  app.ask(`${PATH}${verb}/`, { method: 'POST', body });
const read = async (app: TestApp) => (await app.ask(PATH)).json;
const runDue = (app: TestApp) => app.app.features.forwarder.runDue();

/** An app whose project 1 is forwarded to a host. */
async function openSender(host: string, options: Parameters<typeof openTestApp>[0] = {}): Promise<TestApp> {
  const app = await openTestApp(options);
  await allow(app);
  expect((await put(app, host)).status).toBe(200);
  return app;
}

/** A receiver that answers with these statuses, the last one from then on. */
async function openReceiver(...statuses: number[]) {
  const requests: { path: string; headers: object; body: any }[] = [];
  const server = createServer((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const text = req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const status = statuses[Math.min(requests.length, statuses.length - 1)]!;
      requests.push({ path: req.url!, headers: req.headers, body: JSON.parse(text.toString()) });
      res.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { requests, url: `http://127.0.0.1:${port}` };
}

/** Everything that an app shows of its events, in the order of their UUIDs. */
async function eventsOf(app: TestApp) {
  const { results } = (await app.ask('/api/projects/1/events/?after=2000-01-01&limit=100')).json;
  return results
    .map(({ id, event, distinct_id, timestamp, properties, elements_chain, person }: any) => ({
      id,
      event,
      distinct_id,
      timestamp,
      properties: JSON.parse(properties),
      elements_chain,
      person: person === '' ? null : JSON.parse(person),
    }))
    .toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
}

const compactAll = async (app: TestApp): Promise<void> => {
  expect((await app.ask('/api/burrow/storage/compact/', { method: 'POST' })).status).toBe(200);
};

const countOf = async (app: TestApp): Promise<number> =>
  (await app.store.db.first<{ n: number }>('SELECT count(*) AS n FROM all_events'))!.n;

describe('M9.14 forwarding to another Burrow', () => {
  test('M9.14/equal events arrive equal: UUID, time, properties, elements, person and groups', async () => {
    const receiver = await openTestApp();
    const sender = await openSender(receiver.url);
    // Another order of group types there: their indexes are of each server.
    await sendEvents(receiver, [{ uuid: `${UUID}0`, properties: { $groups: { shop: 'acme' } } }]);
    const events = [
      {
        event: '$identify',
        distinct_id: 'ann',
        properties: { $anon_distinct_id: 'a1', $set: { email: 'a@x.io' } },
      },
      { distinct_id: 'ann', properties: { $ip: '81.2.69.142', price: 1.5, id: 1 } },
      {
        distinct_id: 'a1',
        properties: { $elements_chain: 'a.link:text="Buy"', $groups: { team: 'red', shop: 'acme' } },
      },
      {
        event: '$groupidentify',
        properties: { $group_type: 'team', $group_key: 'red', $group_set: { size: 3 } },
      },
      { distinct_id: 'anonymous', properties: { $process_person_profile: false, $geoip_disable: true } },
      { timestamp: '2026-11-20T09:10:11.123456Z', properties: { text: 'é\u0000"' } },
    ].map((event, n) => ({ uuid: `${UUID}${n + 1}`, ...event }));
    await sendEvents(sender, events);
    await sender.ask('/batch/', {
      method: 'POST',
      key: null,
      body: `{"api_key":"${TEST_TOKEN}","batch":[{"event":"big","distinct_id":"u1","uuid":"${UUID}9","properties":{"n":12345678901234567890}}]}`,
    });
    await runDue(sender);
    const sent = await eventsOf(sender);
    const got = (await eventsOf(receiver)).filter(({ id }: { id: string }) => id !== `${UUID}0`);
    const withoutIndexes = (all: typeof sent) =>
      all.map(({ properties, ...rest }: any) => ({
        ...rest,
        properties: Object.fromEntries(
          Object.entries(properties).filter(([name]) => !name.startsWith('$group_')),
        ),
      }));
    expect(sent).toHaveLength(7);
    expect(got.map(({ properties }: any) => properties.$group_0)).toContain('acme');
    expect(withoutIndexes(got)).toEqual(withoutIndexes(sent));
    expect(await read(sender)).toMatchObject({ state: 'up_to_date', sent: 7, waiting: 0, problem: null });
  });

  test('M9.14/once what was sent and not noted is sent again, and stored one time there', async () => {
    const receiver = await openTestApp();
    const store = await openTestStore();
    onTestFinished(() => store.close());
    const sender = await openSender(receiver.url, { store });
    await sendEvents(sender, [{}, {}, { event: 'paid' }]);
    const { position } = (await store.db.first<{ position: number }>('SELECT position FROM forwarding'))!;
    await runDue(sender);
    expect(await countOf(receiver)).toBe(3);
    // As after a kill between the answer and the note.
    await store.db.run('UPDATE forwarding SET position = $position', { position });
    const again = await openTestApp({ store });
    await runDue(again);
    expect(await countOf(receiver)).toBe(3);
    expect(await read(again)).toMatchObject({ state: 'up_to_date', waiting: 0, sent: 6 });
  });

  test('M9.14/order events that compaction has moved meanwhile are sent too, in the order of their arrival', async () => {
    const { requests, url } = await openReceiver(200);
    const sender = await openSender(url);
    await post(sender, 'pause');
    await sendEvents(sender, [{ event: 'c' }, { event: 'a' }]);
    await compactAll(sender);
    await sendEvents(sender, [{ event: 'b' }]);
    expect(await read(sender)).toMatchObject({ state: 'paused', waiting: 3 });
    await post(sender, 'resume');
    await runDue(sender);
    expect(requests.flatMap(({ body }) => body.batch.map(({ event }: any) => event))).toEqual([
      'c',
      'a',
      'b',
    ]);
    await sendEvents(sender, [{ event: 'd' }]);
    await runDue(sender);
    await compactAll(sender);
    await runDue(sender);
    expect(requests.at(-1)!.body.batch.map(({ event }: any) => event)).toEqual(['d']);
    expect(await sender.store.db.all('SELECT * FROM forwarding_waiting')).toEqual([]);
  });
});

describe('M9.14/new nothing is sent', () => {
  test('that was stored before forwarding was turned on, came as history, or was deleted', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openTestApp();
    await allow(app);
    await sendEvents(app, [{ event: 'before', uuid: `${UUID}1` }]);
    await compactAll(app);
    await put(app, url);
    await app.ask('/batch/', {
      method: 'POST',
      key: null,
      body: {
        api_key: TEST_TOKEN,
        historical_migration: true,
        batch: [{ event: 'history', distinct_id: 'u1', properties: {} }],
      },
    });
    // A late retry of one from before.
    await sendEvents(app, [{ event: 'before', uuid: `${UUID}1` }]);
    await compactAll(app);
    await runDue(app);
    expect(requests).toEqual([]);
    await post(app, 'pause');
    await sendEvents(app, [{ event: 'deleted' }]);
    await compactAll(app);
    await app.ask('/api/projects/1/burrow/events/', { method: 'DELETE' });
    await post(app, 'resume');
    await runDue(app);
    expect(requests).toEqual([]);
    await sendEvents(app, [{ event: 'after' }]);
    await runDue(app);
    expect(requests.map(({ body }) => body.batch.length)).toEqual([1]);
  });

  test('before an owner has allowed it, after it was taken back, and after forwarding was turned off', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openTestApp();
    expect(await read(app)).toMatchObject({ state: 'off', is_allowed: false });
    expect((await put(app, url)).status).toBe(409);
    expect((await post(app, 'test', { host: url, api_key: TEST_TOKEN })).status).toBe(409);
    await allow(app);
    await put(app, url);
    await allow(app, false);
    await sendEvents(app, [{}]);
    await runDue(app);
    expect(await read(app)).toMatchObject({ state: 'not_allowed', is_allowed: false, waiting: 1 });
    await allow(app);
    expect((await app.ask(PATH, { method: 'DELETE' })).status).toBe(204);
    await runDue(app);
    expect(await read(app)).toMatchObject({ state: 'off', host: null, waiting: 0 });
    expect(await app.store.db.all('SELECT * FROM forwarding')).toEqual([]);
    await put(app, url);
    await runDue(app);
    expect(requests).toEqual([]);
  });

  test('of another project, nor of one with demo data', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openSender(url);
    const other = await createProject(app);
    const { api_token: token } = (await app.ask(`/api/projects/${other}/`)).json;
    await sendEvents(app, [{}], token);
    await runDue(app);
    expect(requests).toEqual([]);
    const demo = (
      await app.ask('/api/burrow/demo/', { method: 'POST', body: { kind: 'app', size: 'small' } })
    ).json;
    const answer = await app.ask(`/api/projects/${demo.id}/burrow/forwarding/`, {
      method: 'PUT',
      body: { host: url, api_key: TEST_TOKEN },
    });
    expect([answer.status, answer.json.detail]).toEqual([409, 'The events of demo data are not forwarded.']);
  });

  test('from a backup before it is resumed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'burrow-forwarding-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { requests, url } = await openReceiver(200);
    const store = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
    onTestFinished(() => store.close());
    const app = await openSender(url, { store, config: { ephemeral: false, dataDir } });
    await sendEvents(app, [{}]);
    const { name } = (await app.ask('/api/burrow/backup/', { method: 'POST' })).json;
    await runDue(app);
    expect(requests).toHaveLength(1);
    const copy = await openTestStore({ path: join(dataDir, 'backups', name) });
    onTestFinished(() => copy.close());
    const restored = await openTestApp({ store: copy });
    await runDue(restored);
    expect(requests).toHaveLength(1);
    expect(await read(restored)).toMatchObject({
      state: 'stopped',
      waiting: 1,
      problem: expect.stringContaining('came from a backup'),
    });
    await post(restored, 'resume');
    await runDue(restored);
    expect(requests).toHaveLength(2);
  });
});

describe('M9.14/retry forwarding', () => {
  test('goes on by itself when a receiver that was away is back', async () => {
    const { requests, url } = await openReceiver(503, 429, 200);
    const app = await openSender(url);
    await sendEvents(app, [{ event: 'waiting' }]);
    await runDue(app);
    expect(await read(app)).toMatchObject({
      state: 'retrying',
      waiting: 1,
      oldest_waiting_at: '2026-11-20T09:30:00.000000Z',
      problem: 'It answered with status 503.',
      next_try_at: '2026-11-20T09:30:01.000Z',
    });
    await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(3);
    await expect.poll(() => read(app)).toMatchObject({ state: 'up_to_date', sent: 1, problem: null });
  });

  test('stops at a refused key with the reason, and goes on with another one', async () => {
    const receiver = await openTestApp();
    const app = await openTestApp();
    await allow(app);
    await put(app, receiver.url, 'phc_of_no_project');
    await sendEvents(app, [{}]);
    await runDue(app);
    expect(await read(app)).toMatchObject({
      state: 'stopped',
      waiting: 1,
      problem: 'The host refused the project API key (status 401). Enter the key of the project there.',
    });
    await sendEvents(app, [{}]);
    await put(app, receiver.url);
    await runDue(app);
    expect(await read(app)).toMatchObject({ state: 'up_to_date', waiting: 0, sent: 2 });
    expect(await countOf(receiver)).toBe(2);
  });

  test('splits a batch that is too large, and leaves out and counts an event that is too large alone', async () => {
    const { requests, url } = await openReceiver(413, 413, 200);
    const app = await openSender(url);
    await sendEvents(app, [{ event: 'large' }, { event: 'small' }]);
    await runDue(app);
    expect(requests.map(({ body }) => body.batch.map(({ event }: any) => event))).toEqual([
      ['large', 'small'],
      ['large'],
      ['small'],
    ]);
    expect(await read(app)).toMatchObject({ state: 'up_to_date', sent: 1, left_out: 1 });
  });

  test('sends a thousand events at most in a request, compressed, without any key of Burrow', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openSender(`${url}/ingest/`);
    await sendEvents(
      app,
      Array.from({ length: 1_001 }, (_, n) => ({ properties: { n } })),
    );
    await runDue(app);
    expect(requests.map(({ path, body }) => [path, body.batch.length])).toEqual([
      ['/ingest/batch/', 1_000],
      ['/ingest/batch/', 1],
    ]);
    expect(requests[0]!.headers).toEqual({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': expect.any(String),
      'user-agent': 'Burrow/0.0.0-test',
      host: new URL(url).host,
      connection: 'close',
    });
    expect(requests[1]!.body).toEqual({
      api_key: TEST_TOKEN,
      historical_migration: false,
      batch: [
        {
          uuid: expect.any(String),
          event: 'seen',
          distinct_id: 'u1',
          timestamp: '2026-11-20T09:30:00.000000Z',
          properties: { n: 1_000, $ip: '127.0.0.1' },
        },
      ],
    });
  });

  test('sends some megabytes at most in a request, and passes over what was deleted meanwhile', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openSender(url);
    await post(app, 'pause');
    const text = 'x'.repeat(1_500_000);
    for (const event of ['a', 'deleted', 'b', 'c']) await sendEvents(app, [{ event, properties: { text } }]);
    await compactAll(app);
    await app.store.db.run("DELETE FROM events WHERE event = 'deleted'");
    await sendEvents(app, [{ event: 'd' }]);
    await post(app, 'resume');
    await runDue(app);
    expect(requests.map(({ body }) => body.batch.map(({ event }: any) => event))).toEqual([
      ['a'],
      ['b'],
      ['c', 'd'],
    ]);
    expect(await read(app)).toMatchObject({ state: 'up_to_date', sent: 4, waiting: 0 });
  });

  test('does not say that an event comes from this machine where its address was discarded', async () => {
    const { requests, url } = await openReceiver(200);
    const app = await openSender(url);
    await app.ask('/api/projects/1/', { method: 'PATCH', body: { anonymize_ips: true } });
    await sendEvents(app, [{ properties: { $ip: '81.2.69.142' } }]);
    await runDue(app);
    expect(requests[0]!.body.batch[0].properties).toEqual({ $ip: null });
  });
});

describe('M9.14/target the target', () => {
  test('is read by a member, who cannot change it', async () => {
    const { url } = await openReceiver(200);
    const app = await openSender(url);
    const member = await addMember(app, 'ann@example.com');
    expect((await member.ask(PATH)).json).toMatchObject({ state: 'up_to_date', host: url });
    const body = { host: url, api_key: TEST_TOKEN };
    expect((await member.ask(PATH, { method: 'PUT', body })).status).toBe(403);
    expect((await member.ask(PATH, { method: 'DELETE' })).status).toBe(403);
    for (const verb of ['pause', 'resume', 'test'])
      expect((await member.ask(`${PATH}${verb}/`, { method: 'POST', body })).status).toBe(403);
  });

  test.each([
    [{ host: 'http://169.254.169.254', api_key: 'phc_x' }, 'host', /link-local/],
    [{ host: 'ftp://example.com', api_key: 'phc_x' }, 'host', /http/],
    [{ host: 'http://example.com/?a=1', api_key: 'phc_x' }, 'host', /without/],
    [{ host: 'example.com', api_key: TEST_KEY }, 'api_key', /project API key/],
    [{ host: 'example.com' }, 'api_key', /project API key/],
    [{ host: '', api_key: 'phc_x' }, 'host', /./],
  ])('%j is refused with a reason', async (body, attr, detail) => {
    const app = await openTestApp();
    await allow(app);
    const answer = await app.ask(PATH, { method: 'PUT', body });
    expect([answer.status, answer.json.attr]).toEqual([400, attr]);
    expect(answer.json.detail).toMatch(detail);
  });

  test('its key is not shown whole, and not in the activity log', async () => {
    const { url } = await openReceiver(200);
    const app = await openSender(url);
    expect(await read(app)).toMatchObject({ api_key_hint: 'phc_test…ct_1' });
    const log = await app.ask('/api/projects/1/activity_log/');
    expect(log.text).toContain(url);
    expect(log.text).not.toContain(TEST_TOKEN);
    // The host alone can be changed.
    expect((await app.ask(PATH, { method: 'PUT', body: { host: url } })).status).toBe(200);
  });

  test('a test says whether the host takes the key, and stores nothing there', async () => {
    const receiver = await openTestApp();
    const app = await openTestApp();
    await allow(app);
    const body = { host: receiver.url, api_key: TEST_TOKEN };
    expect((await post(app, 'test', body)).json).toEqual({ is_ok: true, status: 200, problem: null });
    expect((await post(app, 'test', { ...body, api_key: 'phc_other' })).json).toMatchObject({
      is_ok: false,
      status: 401,
    });
    expect((await post(app, 'test', { ...body, host: `${receiver.url}/elsewhere` })).json).toMatchObject({
      is_ok: false,
      status: 404,
    });
    expect((await post(app, 'test', { ...body, host: 'http://127.0.0.1:1' })).json).toEqual({
      is_ok: false,
      status: null,
      problem: 'Nothing listens there.',
    });
    expect(await countOf(receiver)).toBe(0);
    expect((await app.ask('/api/burrow/outgoing/')).json.results[1]).toMatchObject({
      purpose: 'forwarding',
      is_on: true,
      last_call: { host: '127.0.0.1:1', problem: 'Nothing listens there.' },
    });
  });

  test('pausing keeps what waits over a restart', async () => {
    const { requests, url } = await openReceiver(200);
    const store = await openTestStore();
    onTestFinished(() => store.close());
    const app = await openSender(url, { store });
    await post(app, 'pause');
    await sendEvents(app, [{}]);
    const again = await openTestApp({ store });
    await runDue(again);
    expect(requests).toEqual([]);
    expect(await read(again)).toMatchObject({ state: 'paused', waiting: 1 });
    await post(again, 'resume');
    await runDue(again);
    expect(requests).toHaveLength(1);
  });
});

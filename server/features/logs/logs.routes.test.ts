import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** Two resources with three lines, as OpenTelemetry writes them. */
const LOGS = {
  resourceLogs: [
    { scopeLogs: [{ logRecords: [{ body: { stringValue: 'a' } }, { body: { stringValue: 'b' } }] }] },
    { scopeLogs: [{ logRecords: [{ body: { stringValue: 'c' } }] }] },
  ],
};

function send(app: TestApp, query: string, body: string | Buffer) {
  const headers = { Origin: 'http://shop.example', 'Content-Type': 'text/plain' };
  return app.ask(`/i/v1/logs${query}`, { method: 'POST', key: null, headers, body });
}

async function notKept(app: TestApp): Promise<object[]> {
  const report = await app.ask('/api/projects/@current/burrow/ingestion/');
  return report.json.accepted_not_kept;
}

test('2.2/logs logs are answered as posthog-js expects, readable for a page of another origin, and counted', async () => {
  const app = await openTestApp();
  const body = gzipSync(JSON.stringify(LOGS));
  const answer = await send(app, `?token=${TEST_TOKEN}`, body);
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(answer.headers['access-control-allow-origin']).toBe('http://shop.example');
  await send(app, `/?token=${TEST_TOKEN}`, body);
  expect(await notKept(app)).toEqual([
    { kind: 'logs', count: 6, bytes: 2 * body.length, last_seen: new Date(app.clock.now).toISOString() },
  ]);
});

test('logs in an unknown format count as one: an SDK retries refused ones', async () => {
  const app = await openTestApp();
  const answer = await send(app, `?token=${TEST_TOKEN}`, Buffer.from([10, 3, 255, 1]));
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(await notKept(app)).toMatchObject([{ kind: 'logs', count: 1, bytes: 4 }]);
});

test.each([
  ['', 'missing_api_key'],
  ['?token=phc_other', 'invalid_api_key'],
])('logs with the query "%s" are 401 %s, and not counted', async (query, code) => {
  const app = await openTestApp();
  const answer = await send(app, query, '{}');
  expect(answer.status).toBe(401);
  expect(answer.json).toMatchObject({ code });
  expect(await notKept(app)).toEqual([]);
});

test('logs beyond the size of a request are 413', async () => {
  const app = await openTestApp({ config: { maxBody: 1_000 } });
  expect((await send(app, `?token=${TEST_TOKEN}`, 'x'.repeat(1_001))).status).toBe(413);
});

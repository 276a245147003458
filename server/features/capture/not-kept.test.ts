import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** A snapshot as posthog-js sends it: gzip bytes packed into a JSON string, one character for each. */
function snapshot(changes: object = {}): object {
  const properties = {
    token: TEST_TOKEN,
    distinct_id: 'ada',
    $session_id: '0190a000-0000-7000-8000-000000000001',
    $snapshot_data: [{ type: 2, data: '\u001f\u008b\u0008\u0000', cv: '2024-10' }],
    ...changes,
  };
  return { event: '$snapshot', properties, sent_at: '2026-11-20T09:30:00Z' };
}

function send(app: TestApp, body: object, path = '/s/?compression=gzip-js') {
  const packed = gzipSync(JSON.stringify(body));
  return app.ask(path, {
    method: 'POST',
    key: null,
    headers: { 'Content-Type': 'text/plain' },
    body: packed,
  });
}

async function report(app: TestApp) {
  return (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
}

describe('3.7, 2.2/s session recordings', () => {
  test.each([
    ['an array', [snapshot(), snapshot()], 2],
    ['one snapshot', snapshot(), 1],
    ['an object of data', [snapshot({ $snapshot_data: {} })], 1],
  ])('%s is answered like a stored one, counted, and not stored', async (_, body, count) => {
    const app = await openTestApp();
    const answer = await send(app, body);
    expect([answer.status, answer.text]).toEqual([200, '{"status":1}']);
    const { accepted_not_kept, received, stored } = await report(app);
    expect(accepted_not_kept).toEqual([
      {
        kind: 'session recording',
        count,
        bytes: gzipSync(JSON.stringify(body)).length,
        last_seen: new Date(app.clock.now).toISOString(),
      },
    ]);
    expect([received, stored]).toEqual([0, 0]);
    expect((await app.ask('/api/projects/@current/events/')).json.results).toEqual([]);
  });

  test('with and without the slash, and by beacon', async () => {
    const app = await openTestApp();
    expect((await send(app, [snapshot()], '/s')).status).toBe(200);
    expect((await send(app, [snapshot()], '/s/?beacon=1')).status).toBe(204);
    expect((await report(app)).accepted_not_kept).toMatchObject([{ count: 2 }]);
  });

  test.each([
    ['no session', { $session_id: undefined }],
    ['a session that is not a text', { $session_id: 7 }],
    ['a session of other characters', { $session_id: 'a_b' }],
    ['a session of 71 characters', { $session_id: 'a'.repeat(71) }],
    ['no data', { $snapshot_data: undefined }],
    ['data that is text', { $snapshot_data: 'x' }],
  ])('%s is 400, and no part of the request is counted', async (_, changes) => {
    const app = await openTestApp();
    const answer = await send(app, [snapshot(), snapshot(changes)]);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'invalid_payload' });
    expect((await report(app)).accepted_not_kept).toEqual([]);
  });

  test('a session id of 70 characters is valid', async () => {
    const app = await openTestApp();
    expect((await send(app, [snapshot({ $session_id: 'a'.repeat(70) })])).status).toBe(200);
  });

  test('an unknown key is 401', async () => {
    const app = await openTestApp();
    expect((await send(app, [snapshot({ token: 'phc_unknown' })])).status).toBe(401);
    expect((await report(app)).accepted_not_kept).toEqual([]);
  });
});

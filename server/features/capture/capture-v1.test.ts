import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTestApp, shareTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** For what is refused or dropped alone: nothing is ever stored in it. */
const refusingApp = shareTestApp();

const UUID = '0190a000-0000-7000-8000-000000000001';
const SENT_AT = '2026-11-20T09:30:00.000Z';

const HEADERS = {
  'Content-Type': 'application/json',
  'PostHog-Sdk-Info': 'posthog-go/1.2.3',
  'PostHog-Attempt': '1',
  'PostHog-Request-Id': '0190a000-0000-7000-8000-00000000ffff',
  'PostHog-Request-Timestamp': SENT_AT,
  'User-Agent': 'posthog-go/1.2.3',
};

function event(changes: object = {}): object {
  return { event: 'played', uuid: UUID, distinct_id: 'ada', timestamp: SENT_AT, options: {}, ...changes };
}

function uuid(n: number): string {
  return `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

interface Sending {
  path?: string;
  headers?: Record<string, string>;
  without?: string;
  key?: string | null;
  body?: unknown;
}

function send(app: TestApp, { path = '/i/v1/analytics/events', headers = {}, without, ...rest }: Sending) {
  const all: Record<string, string> = { ...HEADERS, ...headers };
  if (without !== undefined) delete all[without];
  return app.ask(path, {
    method: 'POST',
    key: TEST_TOKEN,
    body: { created_at: SENT_AT, batch: [event()] },
    headers: all,
    ...rest,
  });
}

function sendBatch(app: TestApp, ...batch: object[]) {
  return send(app, { body: { created_at: SENT_AT, batch } });
}

async function stored(app: TestApp): Promise<any[]> {
  return (await app.ask('/api/projects/@current/events/')).json.results;
}

async function propertiesOf(app: TestApp): Promise<Record<string, unknown>> {
  return JSON.parse((await stored(app))[0].properties);
}

describe('5/headers required headers', () => {
  // The client of these tests gives a body a content type whenever there is none.
  test.each(Object.keys(HEADERS).filter((name) => name !== 'Content-Type'))(
    'without %s the request is 400 with a description, and no event is stored',
    async (without) => {
      const app = await refusingApp();
      const answer = await send(app, { without });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        error: 'missing_required_headers',
        error_description: expect.stringContaining(without.toLowerCase()),
      });
      expect(await stored(app)).toEqual([]);
    },
  );

  test.each([
    ['PostHog-Attempt', '0'],
    ['PostHog-Attempt', 'one'],
    ['PostHog-Request-Id', 'request-1'],
    ['PostHog-Request-Timestamp', 'yesterday'],
  ])('%s: %s is 400', async (name, value) => {
    const app = await refusingApp();
    const answer = await send(app, { headers: { [name]: value } });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      error: 'invalid_header_value',
      error_description: expect.stringContaining(name),
    });
  });
});

describe('5/key the Bearer is the project token', () => {
  test.each([
    ['none', null, 'missing_api_key'],
    ['an unknown one', 'phc_unknown', 'invalid_api_key'],
    ['a personal key', 'phx_something', 'personal_api_key'],
  ])('%s is 401', async (_, key, error) => {
    const app = await refusingApp();
    const answer = await send(app, { key });
    expect([answer.status, answer.json.error]).toEqual([401, error]);
  });

  test('its scheme is case-insensitive', async () => {
    const app = await openTestApp();
    const answer = await send(app, { key: null, headers: { Authorization: `bEARER  ${TEST_TOKEN} ` } });
    expect(answer.status).toBe(200);
  });
});

describe('5/type the content type', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded'])('%s is 415', async (type) => {
    const app = await refusingApp();
    const answer = await send(app, { headers: { 'Content-Type': type } });
    expect([answer.status, answer.json.error]).toEqual([415, 'unsupported_media_type']);
  });

  test('a charset parameter is accepted', async () => {
    const app = await openTestApp();
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await send(app, { headers })).status).toBe(200);
  });
});

describe('5/encoding compressed bodies', () => {
  const json = JSON.stringify({ batch: [event()] });

  test.each([
    ['gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
  ])('%s is decompressed', async (encoding, body) => {
    const app = await openTestApp();
    const answer = await send(app, { body, headers: { 'Content-Encoding': encoding } });
    expect([answer.status, answer.json]).toEqual([200, { results: { [UUID]: { result: 'ok' } } }]);
    expect(await stored(app)).toHaveLength(1);
  });

  test('zstd is decompressed where the runtime supports it, else 415', async () => {
    const app = await openTestApp();
    const compress = zlib.zstdCompressSync as ((text: string) => Buffer) | undefined;
    const body = compress?.(json) ?? Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
    const answer = await send(app, { body, headers: { 'Content-Encoding': 'zstd' } });
    expect(answer.status).toBe(compress === undefined ? 415 : 200);
  });

  test.each(['lz64', 'gzip-js', 'compress'])('%s is 415', async (encoding) => {
    const app = await refusingApp();
    const answer = await send(app, { headers: { 'Content-Encoding': encoding } });
    expect([answer.status, answer.json.error]).toEqual([415, 'unsupported_media_type']);
  });

  test('compression is not detected: gzip without the header is 400, and so is a broken stream', async () => {
    const app = await refusingApp();
    expect((await send(app, { body: gzipSync(json) })).status).toBe(400);
    const cut = gzipSync(json).subarray(0, 30);
    expect((await send(app, { body: cut, headers: { 'Content-Encoding': 'gzip' } })).status).toBe(400);
    const query = await send(app, { path: '/i/v1/analytics/events?compression=gzip', body: gzipSync(json) });
    expect(query.status).toBe(400);
  });

  test('a body that decompresses to more than eight times its limit is 413', async () => {
    const app = await openTestApp({ config: { maxBody: 10_000 } });
    const filler = 'x'.repeat(90_000);
    const body = gzipSync(JSON.stringify({ batch: [event({ properties: { filler } })] }));
    const answer = await send(app, { body, headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.json.error]).toEqual([413, 'payload_too_large']);
  });
});

describe('5/body the form of a batch', () => {
  test.each([
    ['an array', [event()]],
    ['no batch', { created_at: SENT_AT }],
    ['a batch that is not a list', { batch: {} }],
    ['an empty batch', { batch: [] }],
    ['an event that is not an object', { batch: [event(), 7] }],
    ['an event without a uuid', { batch: [event(), event({ uuid: undefined })] }],
    ['an event whose uuid is none', { batch: [event({ uuid: 'seven' })] }],
    ['an invalid created_at', { created_at: 'never', batch: [event()] }],
    ['no JSON', '{"batch": ['],
    ['nothing', ''],
  ])('%s is 400, and no event of it is stored', async (_, body) => {
    const app = await refusingApp();
    const answer = await send(app, { body });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ error: expect.any(String), error_description: expect.any(String) });
    expect(await stored(app)).toEqual([]);
  });

  test('the skew of the sender’s clock is removed by the time in the header', async () => {
    const app = await openTestApp();
    const headers = { 'PostHog-Request-Timestamp': '2026-11-20T10:30:00Z' };
    await send(app, { headers, body: { batch: [event({ timestamp: '2026-11-20T10:29:50Z' })] } });
    expect((await stored(app))[0].timestamp).toBe('2026-11-20T09:29:50.000000+00:00');
  });

  test('events of the service itself have no client address', async () => {
    const app = await openTestApp();
    const headers = { 'X-Forwarded-For': '81.2.69.142' };
    await send(app, { headers, body: { capture_internal: true, batch: [event()] } });
    expect(await propertiesOf(app)).toMatchObject({ $ip: '127.0.0.1' });
  });
});

describe('5/options the fields beside the properties', () => {
  test('options, session, window and SDK are properties again', async () => {
    const app = await openTestApp();
    const options = {
      process_person_profile: false,
      cookieless_mode: true,
      disable_skew_adjustment: true,
      product_tour_id: 'tour',
      unknown: 1,
    };
    const properties = { price: 3, $process_person_profile: true };
    await sendBatch(app, event({ options, session_id: 's1', window_id: 'w1', properties }));
    expect(await propertiesOf(app)).toEqual({
      price: 3,
      $session_id: 's1',
      $window_id: 'w1',
      $process_person_profile: false,
      $cookieless_mode: true,
      $ignore_sent_at: true,
      $product_tour_id: 'tour',
      $lib: 'posthog-go',
      $lib_version: '1.2.3',
      $ip: expect.any(String),
    });
  });

  test('the library in the event properties overrides the header', async () => {
    const app = await openTestApp();
    await sendBatch(app, event({ properties: { $lib: 'wrapper', $lib_version: '9' } }));
    expect(await propertiesOf(app)).toMatchObject({ $lib: 'wrapper', $lib_version: '9' });
  });

  test('missing and null options add no properties', async () => {
    const app = await openTestApp();
    await sendBatch(app, event({ options: null, session_id: null, properties: null }));
    expect(Object.keys(await propertiesOf(app)).toSorted()).toEqual(['$ip', '$lib', '$lib_version']);
  });

  test.each(['disable_skew_adjustment', 'disable_skew_correction'])(
    '%s does not change the time',
    async (name) => {
      const app = await openTestApp();
      const headers = { 'PostHog-Request-Timestamp': '2026-11-20T10:30:00Z' };
      await send(app, { headers, body: { batch: [event({ options: { [name]: true } })] } });
      expect((await stored(app))[0].timestamp).toBe('2026-11-20T09:30:00.000000+00:00');
    },
  );
});

describe('5/results a result for each uuid', () => {
  test('stored, dropped and changed events of one batch', async () => {
    const app = await openTestApp();
    const answer = await sendBatch(
      app,
      event({ uuid: uuid(1) }),
      event({ uuid: uuid(2), event: '' }),
      event({ uuid: uuid(3), distinct_id: undefined }),
      event({ uuid: uuid(4), properties: [] }),
      event({ uuid: uuid(5), event: '$performance_event' }),
      event({ uuid: uuid(6), event: 'e'.repeat(201) }),
      event({ uuid: uuid(7), distinct_id: 'd'.repeat(201) }),
      event({ uuid: uuid(8), timestamp: 'soon' }),
      event({ uuid: uuid(9), distinct_id: 77 }),
    );
    expect(answer.json).toEqual({
      results: {
        [uuid(1)]: { result: 'ok' },
        [uuid(2)]: { result: 'drop', details: 'missing_event_name' },
        [uuid(3)]: { result: 'drop', details: 'missing_distinct_id' },
        [uuid(4)]: { result: 'drop', details: 'invalid_properties' },
        [uuid(5)]: { result: 'drop', details: 'performance_event' },
        [uuid(6)]: { result: 'warning', details: 'event_name_truncated' },
        [uuid(7)]: { result: 'warning', details: 'distinct_id_truncated' },
        [uuid(8)]: { result: 'warning', details: 'ignored_invalid_timestamp' },
        [uuid(9)]: { result: 'ok' },
      },
    });
    const ids = (await stored(app)).map(({ id }) => id).toSorted();
    expect(ids).toEqual([1, 6, 7, 8, 9].map(uuid));
  });

  test('an event sent twice has one result and is stored once, in one request and in two', async () => {
    const app = await openTestApp();
    const first = await sendBatch(app, event(), event({ event: 'again' }));
    expect(first.json).toEqual({ results: { [UUID]: { result: 'ok' } } });
    expect((await sendBatch(app, event())).json).toEqual(first.json);
    expect((await stored(app)).map((row) => row.event)).toEqual(['played']);
  });

  test.each([
    ['before', [event({ distinct_id: '' }), event()]],
    ['behind', [event(), event({ distinct_id: '' })]],
  ])('a dropped event %s a stored one of the same uuid does not hide it', async (_, batch) => {
    const app = await openTestApp();
    expect((await sendBatch(app, ...batch)).json).toEqual({ results: { [UUID]: { result: 'ok' } } });
    expect(await stored(app)).toHaveLength(1);
  });

  test("the result has the sender's spelling of a uuid", async () => {
    const app = await openTestApp();
    const answer = await sendBatch(app, event({ uuid: UUID.toUpperCase() }), event());
    expect(answer.json).toEqual({
      results: { [UUID.toUpperCase()]: { result: 'ok' }, [UUID]: { result: 'ok' } },
    });
    expect((await stored(app)).map(({ id }) => id)).toEqual([UUID]);
  });

  test('drops are listed on the Ingestion screen with their reasons', async () => {
    const app = await openTestApp();
    await sendBatch(app, event({ distinct_id: 'null' }), event({ uuid: uuid(2), properties: 'x' }));
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report).toMatchObject({ received: 2, stored: 0, dropped: 2 });
    expect(report.dropped_by_reason.map((row: { reason: string }) => row.reason).toSorted()).toEqual([
      'illegal_distinct_id',
      'invalid_properties',
    ]);
  });
});

describe('5/illegal-id illegal distinct ids', () => {
  test.each([
    '0',
    ' Guest ',
    'NULL',
    '[object Object]',
    'NaN',
    '00000000-0000-0000-0000-000000000000',
    'user',
  ])('"%s" is dropped with a warning', async (id) => {
    const app = await refusingApp();
    const answer = await sendBatch(app, event({ distinct_id: id }));
    expect(answer.json).toEqual({
      results: { [UUID]: { result: 'drop', details: 'illegal_distinct_id' } },
    });
    expect(await stored(app)).toEqual([]);
  });

  test.each(['users', '01', 'nobody', 'anonymous-7'])('"%s" is a valid distinct id', async (id) => {
    const app = await openTestApp();
    expect((await sendBatch(app, event({ distinct_id: id }))).json.results[UUID]).toEqual({ result: 'ok' });
  });
});

describe('5/errors errors have their own format', () => {
  test('a request that is too large is 413, before it is read', async () => {
    const app = await openTestApp({ config: { maxBody: 1_000 } });
    const answer = await sendBatch(app, event({ properties: { filler: 'x'.repeat(2_000) } }));
    expect(answer.status).toBe(413);
    expect(answer.json).toEqual({ error: 'payload_too_large', error_description: expect.any(String) });
  });

  test('a request over the limit is 429 with Retry-After, where rate limits are on', async () => {
    const app = await openTestApp({ config: { rateLimits: true } });
    const answers = [];
    // Not a thousand concurrent connections: the system refuses some of them.
    for (let round = 0; round < 11; round++)
      answers.push(...(await Promise.all(Array.from({ length: 91 }, () => send(app, {})))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]!.json).toEqual({ error: 'rate_limit_exceeded', error_description: expect.any(String) });
    expect(refused[0]!.headers['retry-after']).toBe('1');
  });

  test('another method is 405', async () => {
    const app = await openTestApp();
    expect((await app.ask('/i/v1/analytics/events', { key: TEST_TOKEN })).status).toBe(405);
  });

  test('a page of another origin can read the error', async () => {
    const app = await openTestApp();
    const answer = await send(app, { key: null, headers: { Origin: 'http://shop.example' } });
    expect(answer.headers['access-control-allow-origin']).toBe('http://shop.example');
  });

  test('refused requests are listed on the Ingestion screen', async () => {
    const app = await openTestApp();
    await send(app, { key: null });
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report.requests).toMatchObject([
      { path: '/i/v1/analytics/events', status: 401, outcome: 'refused', code: 'missing_api_key' },
    ]);
  });
});

test.each(['/i/v1/ai/events', '/i/v1/ai/events/', '/i/v1/analytics/events/'])(
  '5/ai, 2.2/v1 %s accepts the same requests',
  async (path) => {
    const app = await openTestApp();
    const answer = await send(app, { path, body: { batch: [event({ event: '$ai_generation' })] } });
    expect([answer.status, answer.json]).toEqual([200, { results: { [UUID]: { result: 'ok' } } }]);
    expect((await stored(app))[0]).toMatchObject({ event: '$ai_generation', distinct_id: 'ada' });
  },
);

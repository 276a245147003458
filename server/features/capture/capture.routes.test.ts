import { describe, expect, test } from 'vitest';
import { openTestApp, shareTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** Every path of capture v0, without the slash that it may end with. */
const PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/track', '/engage', '/i/v0/ai/batch'];
const SPELLINGS = PATHS.flatMap((path) => [path, `${path}/`]);
/** Doors that take a POST alone. */
const POST_ONLY = ['/s', '/i/v0/ai', '/i/v1/analytics/events', '/i/v1/ai/events'];
const ORIGIN = 'https://shop.example';

const EVENT = { api_key: TEST_TOKEN, event: 'played', distinct_id: 'ada' };

function post(app: TestApp, path: string, headers: Record<string, string> = {}, body: unknown = EVENT) {
  return app.ask(path, { method: 'POST', key: null, headers, body });
}

async function stored(app: TestApp): Promise<any[]> {
  return (await app.ask('/api/projects/@current/events/')).json.results;
}

async function countStored(app: TestApp): Promise<number> {
  return (await stored(app)).length;
}

/** For refusals, and for tests that store in a project of their own. */
const sharedApp = shareTestApp();

/** A new project of the shared app: an event with its key, and how many events it has. */
async function openProject() {
  const app = await sharedApp();
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Shop' },
  });
  expect(made.status, made.text).toBe(201);
  const { id, api_token: key } = made.json as { id: number; api_token: string };
  const count = async (): Promise<number> =>
    (await app.ask(`/api/projects/${id}/events/`)).json.results.length as number;
  expect(await count()).toBe(0);
  return { app, key, event: { ...EVENT, api_key: key }, count };
}

test.each([
  [[EVENT, 'no event']],
  [[{ ...EVENT, properties: 'no object' }]],
  [[{ ...EVENT, uuid: 'no uuid' }]],
])('1.8 an unknown key is reported before invalid events: %j', async (batch) => {
  const app = await sharedApp();
  for (const path of ['/batch/', '/s/']) {
    expect((await post(app, path, {}, { api_key: 'phc_unknown', batch })).status, path).toBe(401);
    expect((await post(app, path, {}, { api_key: TEST_TOKEN, batch })).status, path).toBe(400);
  }
});

describe('2.1/capture, 2.1/batch, 2.2/e, 2.2/i-v0-e, 2.2/track, 2.2/engage, 2.2/ai-batch every capture path', () => {
  test.each(SPELLINGS)('POST %s accepts one event, a batch and an array', async (path) => {
    const { app, key, event, count } = await openProject();
    for (const body of [event, { api_key: key, batch: [event, event] }, [event]]) {
      const answer = await post(app, path, {}, body);
      expect([answer.status, answer.text]).toEqual([200, '{"status":1}']);
      expect(answer.headers['content-type']).toBe('application/json');
    }
    expect(await count()).toBe(4);
  });

  test.each(SPELLINGS)(
    '2.2/get-data GET %s?data= stores an event, in base64 or as plain JSON',
    async (path) => {
      const { app, event, count } = await openProject();
      const json = JSON.stringify(event);
      for (const data of [Buffer.from(json).toString('base64'), json]) {
        const answer = await app.ask(`${path}?data=${encodeURIComponent(data)}&ip=1&ver=1.24.0`, {
          key: null,
        });
        expect([answer.status, answer.text]).toEqual([200, '{"status":1}']);
      }
      expect(await count()).toBe(2);
    },
  );

  test('2.2/get-without-data GET without data is 405 with the allowed methods', async () => {
    const app = await sharedApp();
    for (const path of SPELLINGS) {
      const answer = await app.ask(path, { key: null });
      expect([answer.status, answer.headers['allow']], path).toEqual([405, 'POST, OPTIONS']);
      expect(answer.json).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  test.each(SPELLINGS)('2.2/beacon POST %s?beacon=1 is 204 without a body, and stored', async (path) => {
    const { app, event, count } = await openProject();
    const answer = await post(app, `${path}?beacon=1`, { Origin: ORIGIN }, event);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(await count()).toBe(1);
  });

  test('2.2/beacon a pixel may be a beacon, and a refused beacon is answered with the error', async () => {
    const app = await openTestApp();
    const data = encodeURIComponent(JSON.stringify(EVENT));
    expect((await app.ask(`/e/?beacon=1&data=${data}`, { key: null })).status).toBe(204);
    expect((await app.ask('/e/?beacon=11', { method: 'POST', key: null, body: EVENT })).status).toBe(200);
    const wrong = await post(app, '/e/?beacon=1', {}, { ...EVENT, api_key: 'phc_unknown' });
    expect(wrong.status).toBe(401);
  });
});

describe('2.2/options preflight requests of browsers', () => {
  test('OPTIONS of a capture path is 200 and allows the page, its headers and a local server', async () => {
    const app = await sharedApp();
    const headers = {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-own',
      'Access-Control-Request-Private-Network': 'true',
    };
    for (const path of [...PATHS, ...POST_ONLY].flatMap((door) => [door, `${door}/`])) {
      const answer = await app.ask(path, { method: 'OPTIONS', key: null, headers });
      expect([answer.status, answer.text], path).toEqual([200, '{"status":"Ok"}']);
      expect(answer.headers, path).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type,x-own',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-private-network': 'true',
        'access-control-max-age': '86400',
      });
    }
  });

  test('OPTIONS of other paths is 204 without a body', async () => {
    const app = await sharedApp();
    for (const path of ['/flags/', '/decide/', '/i/v1/logs', '/api/surveys/', '/static/array.js']) {
      const answer = await app.ask(path, { method: 'OPTIONS', key: null, headers: { Origin: ORIGIN } });
      expect([answer.status, answer.text], path).toEqual([204, '']);
      expect(answer.headers, path).toMatchObject({
        allow: expect.stringContaining('OPTIONS'),
        'access-control-allow-origin': ORIGIN,
      });
    }
  });
});

describe('2.2/head, 2.2/get-without-data other methods', () => {
  test('HEAD of a capture path is 405 without a body', async () => {
    const app = await sharedApp();
    for (const path of [...PATHS, ...POST_ONLY, '/i/v1/logs']) {
      const answer = await app.ask(path, { method: 'HEAD', key: null });
      expect([answer.status, answer.text], path).toEqual([405, '']);
      expect(answer.headers['allow'], path).toContain('POST');
    }
  });

  test('HEAD of a path with GET is 200 without a body', async () => {
    const app = await sharedApp();
    for (const path of ['/flags/', '/decide/?v=3', '/_liveness', '/_readiness']) {
      const answer = await app.ask(path, { method: 'HEAD', key: null });
      expect([answer.status, answer.text], path).toEqual([200, '']);
      expect(answer.headers['content-length'], path).not.toBe('0');
    }
  });

  test('GET of POST-only endpoints is 405, with data too', async () => {
    const app = await sharedApp();
    for (const query of ['', `?data=${encodeURIComponent(JSON.stringify(EVENT))}`]) {
      for (const path of POST_ONLY) {
        const answer = await app.ask(path + query, { key: null });
        expect([answer.status, answer.headers['allow']], path).toEqual([405, 'POST, OPTIONS']);
      }
    }
  });
});

describe('3.2.5 the number of events of a request', () => {
  test('an empty batch is 400, thousands of events are stored together', async () => {
    const app = await openTestApp();
    const none = await post(app, '/batch/', {}, { api_key: TEST_TOKEN, batch: [] });
    expect(none.status).toBe(400);
    expect(none.json).toMatchObject({ code: 'invalid_payload', detail: expect.stringContaining('no event') });
    const batch = Array.from({ length: 12_000 }, (_, n) => ({ ...EVENT, properties: { n } }));
    expect((await post(app, '/batch/', {}, { api_key: TEST_TOKEN, batch })).status).toBe(200);
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report).toMatchObject({ stored: 12_000, commit: { count: 1, events_max: 12_000 } });
  });

  test('when one event is malformed, no event of the request is stored', async () => {
    const app = await openTestApp();
    const batch = [EVENT, { ...EVENT, properties: 'x' }, EVENT];
    expect((await post(app, '/batch/', {}, { api_key: TEST_TOKEN, batch })).status).toBe(400);
    expect(await countStored(app)).toBe(0);
  });
});

test('3.2.6 unknown keys are ignored, in the envelope and in the event', async () => {
  const app = await openTestApp();
  const event = {
    ...EVENT,
    type: 'capture',
    library: 'x',
    library_version: '1',
    context: {},
    messageId: 'm',
  };
  const body = { api_key: TEST_TOKEN, batch: [event], context: [], somethingNew: { a: 1 } };
  expect((await post(app, '/batch/', {}, body)).status).toBe(200);
  expect((await stored(app))[0]).toMatchObject({ event: 'played', distinct_id: 'ada' });
});

describe('3.4.1, 3.4.2, 3.4.3, 3.4.4 events that are answered 200 and not stored', () => {
  const kept = { ...EVENT, event: 'kept' };
  test.each([
    ['no name', { event: undefined }, 'missing_event_name'],
    ['a null name', { event: null }, 'missing_event_name'],
    ['an empty name', { event: '' }, 'missing_event_name'],
    ['a blank name', { event: ' \t' }, 'missing_event_name'],
    ['no distinct id', { distinct_id: undefined }, 'missing_distinct_id'],
    ['an empty distinct id', { distinct_id: '' }, 'empty_distinct_id'],
    ['a null distinct id', { distinct_id: null }, 'empty_distinct_id'],
    ['a blank distinct id', { distinct_id: '  ' }, 'empty_distinct_id'],
    ['a list as distinct id', { distinct_id: [] }, 'empty_distinct_id'],
    ['an object as distinct id', { distinct_id: {} }, 'empty_distinct_id'],
    ['the name of performance events', { event: '$performance_event' }, 'performance_event'],
  ])(
    '%s: the other events are stored, and the drop is listed with its reason',
    async (_, changes, reason) => {
      const app = await openTestApp();
      const dropped = { ...EVENT, ...changes };
      const batch = [kept, dropped, dropped, kept, dropped];
      const answer = await post(app, '/batch/', {}, { api_key: TEST_TOKEN, batch });
      expect([answer.status, answer.text]).toEqual([200, '{"status":1}']);
      expect((await stored(app)).map(({ event }) => event)).toEqual(['kept', 'kept']);
      const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
      expect(report.dropped_by_reason).toMatchObject([{ reason, count: 3 }]);
    },
  );
});

describe('3.4.5, 12/success no response has quota fields', () => {
  test.each(['/capture/', '/batch/', '/e/', '/i/v0/e/'])('%s', async (path) => {
    const app = await openTestApp();
    const answer = await post(app, path);
    // posthog-php takes nothing but 200, posthog-ruby nothing but an object; posthog-js stops for good at quota_limited.
    expect([answer.status, answer.json]).toEqual([200, { status: 1 }]);
  });

  test('neither do flags and configuration', async () => {
    const app = await openTestApp();
    const body = { token: TEST_TOKEN, distinct_id: 'ada' };
    const answers = await Promise.all([
      post(app, '/flags/?v=2&config=true', {}, body),
      post(app, '/decide/?v=3', {}, body),
      app.ask(`/array/${TEST_TOKEN}/config`, { key: null }),
    ]);
    for (const answer of answers) expect(answer.text).not.toMatch(/quota_?limited/i);
  });
});

describe('3.6 an event that is sent again', () => {
  const uuid = '0190a000-0000-7000-8000-000000000001';

  test('is stored once: in one request, in a second one, and at another path', async () => {
    const app = await openTestApp();
    const event = { ...EVENT, uuid };
    await post(app, '/batch/', {}, { api_key: TEST_TOKEN, batch: [event, event] });
    expect((await post(app, '/e/', {}, event)).status).toBe(200);
    expect((await stored(app)).map(({ id }) => id)).toEqual([uuid]);
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report).toMatchObject({ received: 3, stored: 1, duplicates: 2 });
  });

  test('without a uuid each is stored', async () => {
    const app = await openTestApp();
    for (let n = 0; n < 3; n++) await post(app, '/e/');
    expect(await countStored(app)).toBe(3);
  });
});

describe('3.8 events that PostHog routes aside', () => {
  test.each(['$exception', '$$heatmap', '$$client_ingestion_warning'])(
    '%s is stored and found by its name',
    async (event) => {
      const app = await openTestApp();
      await post(app, '/e/', {}, { ...EVENT, event });
      const query = new URLSearchParams({ event });
      const found = (await app.ask(`/api/projects/@current/events/?${query}`)).json.results;
      expect(found).toHaveLength(1);
      expect((await app.ask(`/api/projects/@current/events/${found[0].id}/`)).json).toMatchObject({ event });
    },
  );

  test('only $$heatmap is left out of lists without an event filter', async () => {
    const app = await openTestApp();
    for (const event of ['$exception', '$$heatmap', '$$client_ingestion_warning', 'played']) {
      await post(app, '/e/', {}, { ...EVENT, event });
    }
    const listed = (await stored(app)).map(({ event }) => event as string);
    expect(listed.toSorted()).toEqual(['$$client_ingestion_warning', '$exception', 'played']);
  });
});

describe('6.8 reserved events are stored like others, also without their properties', () => {
  test.each([
    '$feature_flag_called',
    '$pageview',
    '$screen',
    'survey shown',
    'survey sent',
    '$ai_generation',
  ])('%s without its properties is stored', async (event) => {
    const app = await openTestApp();
    expect((await post(app, '/e/', {}, { ...EVENT, event })).status).toBe(200);
    expect(await stored(app)).toMatchObject([{ event, distinct_id: 'ada' }]);
  });
});

test('a refused request with a known key is listed in its own project only', async () => {
  const app = await openTestApp();
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'B' },
  });
  expect((await post(app, '/e/', {}, { ...EVENT, properties: 'x' })).status).toBe(400);
  const refusedIn = async (project: number) =>
    (await app.ask(`/api/projects/${project}/burrow/ingestion/`)).json.refused;
  expect([await refusedIn(1), await refusedIn(made.json.id)]).toEqual([1, 0]);
});

describe('13/off, 13/capture limits', () => {
  /** One more than a bucket holds. */
  const MANY = 1_001;

  async function sendMany(app: TestApp, body: object) {
    const answers = await Promise.all(Array.from({ length: MANY }, () => post(app, '/e/', {}, body)));
    return answers.filter(({ status }) => status !== 200);
  }

  test('there are no limits by default', async () => {
    const app = await openTestApp();
    expect(await sendMany(app, EVENT)).toEqual([]);
  });

  test('a request over the limit is 429 with Retry-After and is not stored, and requests of the next second are accepted', async () => {
    const app = await openTestApp({ config: { rateLimits: true } });
    const [refused, ...more] = await sendMany(app, EVENT);
    expect(more).toEqual([]);
    expect([refused!.status, refused!.headers['retry-after']]).toEqual([429, '1']);
    expect(refused!.json).toMatchObject({
      type: 'validation_error',
      code: 'rate_limit_exceeded',
      attr: null,
    });
    const report = (await app.ask('/api/projects/@current/burrow/ingestion/')).json;
    expect(report).toMatchObject({ stored: MANY - 1, refused: 1 });
    app.clock.now += 1_000;
    expect((await post(app, '/e/')).status).toBe(200);
  });

  test('3.5 historical events are not rate limited', async () => {
    const app = await openTestApp({ config: { rateLimits: true } });
    const body = { api_key: TEST_TOKEN, historical_migration: true, batch: [EVENT] };
    expect(await sendMany(app, body)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { openTestApp, shareTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { createKey } from '../../../test/support/owner-calls.ts';

const shared = shareTestApp();

async function capture(app: TestApp, ...batch: object[]): Promise<void> {
  const events = batch.map((event) => ({ distinct_id: 'u1', ...event }));
  const body = { api_key: TEST_TOKEN, batch: events };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

const namesOf = ({ json }: { json: any }) => json.results.map((event: { event: string }) => event.event);
const post = (app: TestApp, path: string, body: object = {}) => app.ask(path, { method: 'POST', body });

async function flagFor(app: TestApp, distinctId: string, key: string): Promise<unknown> {
  const body = { api_key: TEST_TOKEN, distinct_id: distinctId };
  const answer = await app.ask('/flags/?v=2', { method: 'POST', key: null, body });
  const flag = answer.json.flags[key];
  return flag === undefined ? undefined : (flag.variant ?? flag.enabled);
}

describe('GET /_test/events/', () => {
  test('lists events in the order of capture, with their properties as JSON', async () => {
    const app = await openTestApp();
    await capture(
      app,
      { event: 'first', timestamp: '2026-11-20T09:00:02Z', properties: { plan: 'pro', seats: 3 } },
      { event: 'second', timestamp: '2026-11-20T09:00:01Z' },
    );
    const answer = await app.ask('/_test/events/');
    expect(namesOf(answer)).toEqual(['first', 'second']);
    expect(answer.json.results[0]).toMatchObject({
      distinct_id: 'u1',
      properties: { plan: 'pro', seats: 3 },
    });
  });

  test.each([
    ['grow', '018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'],
    ['are random', 'ffffffff-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000'],
  ])(
    'a request that was on its way for longer changes nothing in the order, if UUIDs %s',
    async (_what, one, two) => {
      const app = await openTestApp();
      const timestamp = new Date(app.clock.now).toISOString();
      const sent = (ms: number) => new Date(app.clock.now - ms).toISOString();
      const batch = (event: object, sentAt: string) =>
        app.ask('/batch/', {
          method: 'POST',
          key: null,
          body: { api_key: TEST_TOKEN, sent_at: sentAt, batch: [{ distinct_id: 'u1', timestamp, ...event }] },
        });
      await batch({ event: 'first', uuid: one }, sent(300));
      app.clock.now += 5;
      await batch({ event: 'second', uuid: two }, sent(0));
      const answer = await app.ask('/_test/events/');
      expect(namesOf(answer)).toEqual(['first', 'second']);
      const [first, second] = answer.json.results.map((event: any) => Date.parse(event.timestamp));
      expect(first).toBeGreaterThan(second);
    },
  );

  test('filters by name, distinct ID and properties of any JSON type', async () => {
    const app = await openTestApp();
    await capture(
      app,
      { event: 'paid', properties: { cart: [{ sku: 'a' }], total: 4 } },
      { event: 'paid', distinct_id: 'u2' },
    );
    const count = async (query: string) => (await app.ask(`/_test/events/?${query}`)).json.results.length;
    const cart = encodeURIComponent('{"cart":[{"sku":"a"}]}');
    expect(
      await Promise.all(['event=paid', 'event=pay', 'distinct_id=u2', `properties=${cart}`].map(count)),
    ).toEqual([2, 0, 1, 1]);
  });

  test('with `beyond` it answers as soon as there is another number of events, also above the 10,000 that it lists', async () => {
    const app = await openTestApp();
    await capture(app, ...Array.from({ length: 10_001 }, () => ({ event: 'many' })));
    const { json } = await app.ask('/_test/events/');
    expect([json.results.length, json.total]).toEqual([10_000, 10_001]);
    const waiting = app.ask('/_test/events/?event=late&beyond=10001&timeout_ms=60000');
    await capture(app, { event: 'late' });
    const answer = await waiting;
    expect([namesOf(answer), answer.json.total]).toEqual([['late'], 10_002]);
  });

  test('with `count` it answers as soon as enough events have come', async () => {
    const app = await openTestApp();
    const waiting = app.ask('/_test/events/?event=late&count=2&timeout_ms=60000');
    await capture(app, { event: 'late' });
    await capture(app, { event: 'other' }, { event: 'late' });
    expect(namesOf(await waiting)).toEqual(['late', 'late']);
  });

  test('without enough events it names the nearest, and how they differ', async () => {
    const app = await openTestApp();
    await capture(
      app,
      { event: 'log out' },
      { event: 'sign_up', properties: { plan: 'pro' } },
      { event: 'signup', properties: { plan: 'free' } },
      { event: 'signup', distinct_id: 'u2' },
    );
    const wanted = `event=signup&properties=${encodeURIComponent('{"plan":"pro"}')}&count=1`;
    const { results, nearest } = (await app.ask(`/_test/events/?${wanted}`)).json;
    expect(results).toEqual([]);
    const texts = nearest.map(({ event, differences }: any) => `${event.event}: ${differences.join(', ')}`);
    expect(texts.toSorted()).toEqual([
      'log out: its name is "log out", plan is missing',
      'sign_up: its name is "sign_up"',
      'signup: plan is "free", not "pro"',
      'signup: plan is missing',
    ]);
    expect(texts.at(-1)).toContain('log out');
  });

  test.each(['properties=[]', 'count=-1', 'timeout_ms=60001', 'count=many'])(
    '%s is refused',
    async (query) => {
      expect((await (await shared()).ask(`/_test/events/?${query}`)).status).toBe(400);
    },
  );
});

test('persons that a test creates have their properties, and no events that are listed', async () => {
  const app = await openTestApp();
  const persons = [{ distinct_id: 'ada', properties: { email: 'ada@example.com' } }, { distinct_id: 'bob' }];
  expect((await post(app, '/_test/persons/', { persons })).status).toBe(200);
  const { person } = (await app.ask('/_test/persons/?distinct_id=ada')).json;
  expect(person).toMatchObject({ properties: { email: 'ada@example.com' }, distinct_ids: ['ada'] });
  expect((await app.ask('/_test/persons/?distinct_id=eve')).json).toEqual({ person: null });
  expect(namesOf(await app.ask('/_test/events/'))).toEqual([]);
});

test('a flag that is not there is created with its variants, off for all others, and reset deletes it', async () => {
  const app = await openTestApp();
  await post(app, '/_test/flags/', { key: 'theme', value: 'dark', distinct_id: 'ada' });
  await post(app, '/_test/flags/', { key: 'theme', value: 'light', distinct_id: 'bob' });
  const values = () => Promise.all(['ada', 'bob', 'eve'].map((id) => flagFor(app, id, 'theme')));
  expect(await values()).toEqual(['dark', 'light', false]);
  expect((await post(app, '/_test/reset/')).status).toBe(200);
  expect(await values()).toEqual([undefined, undefined, undefined]);
});

test('a flag of the project keeps its definition: a variant that it lacks is refused, and reset leaves it', async () => {
  const app = await openTestApp();
  const filters = { groups: [{ properties: [], rollout_percentage: 100 }] };
  await post(app, '/api/projects/1/feature_flags/', { key: 'beta', filters });
  expect(await post(app, '/_test/flags/', { key: 'beta', value: 'blue' })).toMatchObject({
    status: 400,
    json: { code: 'invalid_choice', attr: 'value' },
  });
  await post(app, '/_test/flags/', { key: 'beta', value: false });
  expect(await flagFor(app, 'ada', 'beta')).toBe(false);
  await post(app, '/_test/reset/');
  expect(await flagFor(app, 'ada', 'beta')).toBe(true);
});

test('a reset empties events and persons, and the same UUIDs can be sent again', async () => {
  const app = await openTestApp();
  const event = {
    event: 'bought',
    uuid: '0190f0c1-1111-7000-8000-000000000001',
    properties: { $set: { a: 1 } },
  };
  await capture(app, event);
  expect(namesOf(await app.ask('/_test/events/'))).toEqual(['bought']);
  await post(app, '/_test/reset/');
  expect(namesOf(await app.ask('/_test/events/'))).toEqual([]);
  expect((await app.ask('/_test/persons/?distinct_id=u1')).json.person).toBe(null);
  await capture(app, event);
  expect(namesOf(await app.ask('/_test/events/'))).toEqual(['bought']);
});

describe('access', () => {
  const PATHS = ['/_test/events/', '/_test/persons/?distinct_id=a'];

  test('A-13 a server that other machines can reach has none of these paths', async () => {
    const app = await openTestApp({ config: { host: '0.0.0.0' } });
    for (const path of PATHS) expect((await app.ask(path)).status).toBe(404);
  });

  test('a server with a data folder has none of these paths', async () => {
    const app = await openTestApp({ config: { ephemeral: false } });
    for (const path of PATHS) expect((await app.ask(path)).status).toBe(404);
    expect((await post(app, '/_test/reset/')).status).toBe(404);
  });

  test.each([
    ['no key', 401, { key: null }],
    ['the project token', 401, { key: TEST_TOKEN }],
    ['a foreign Host', 403, { headers: { Host: 'evil.test' } }],
    ['a foreign Origin', 403, { headers: { Origin: 'https://evil.test' } }],
  ])('%s is refused with %i', async (_what, status, request) => {
    const app = await shared();
    for (const path of PATHS) expect((await app.ask(path, request)).status).toBe(status);
    expect((await app.ask('/_test/reset/', { method: 'POST', body: {}, ...request })).status).toBe(status);
  });

  test('a key that may only read is refused', async () => {
    const app = await openTestApp();
    const key = await createKey(app, ['query:read']);
    expect((await app.ask('/_test/events/', { key })).status).toBe(403);
  });

  test('the API reference leaves them out', async () => {
    const { paths } = (await (await shared()).ask('/openapi.json')).json;
    expect(Object.keys(paths).filter((path) => path.startsWith('/_test'))).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';
import { expectFields, FLAG_RESULT } from './seed-fields.ts';

/** Sends a body as the public API takes it: with the project's key in it, and without an Authorization header. */
function post({ ask }: TestApp, path: string, body: object) {
  return ask(path, {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, ...body },
  });
}

async function storedEvents({ ask }: TestApp): Promise<{ event: string; distinct_id: string }[]> {
  const { results } = (await ask('/api/projects/1/events/')).json;
  return results.map(({ event, distinct_id }: any) => ({ event, distinct_id }));
}

test('17 a single event is captured', async () => {
  const app = await openTestApp();
  const event = {
    event: 'signup',
    distinct_id: 'ada',
    properties: { plan: 'free' },
  };
  const sent = await post(app, '/capture/', {
    ...event,
    timestamp: '2026-11-20T09:29:00Z',
  });
  expect(sent.status).toBe(200);
  expect(await storedEvents(app)).toEqual([{ event: 'signup', distinct_id: 'ada' }]);
});

test('18 many events are captured, with their distinct id beside or inside the properties', async () => {
  const app = await openTestApp();
  const sent = await post(app, '/batch/', {
    historical_migration: true,
    batch: [
      {
        event: 'a',
        properties: { distinct_id: 'ada' },
        timestamp: '2026-11-20T09:28:00Z',
      },
      { event: 'b', distinct_id: 'bea', properties: {} },
    ],
  });
  expect(sent.status).toBe(200);
  expect(await storedEvents(app)).toEqual([
    { event: 'b', distinct_id: 'bea' },
    { event: 'a', distinct_id: 'ada' },
  ]);
});

test.each([
  ['without a name', { distinct_id: 'ada' }],
  ['without a distinct id', { event: 'signup' }],
  ['with an empty distinct id', { event: 'signup', distinct_id: '' }],
])('17, 18 an event %s is answered 200 and not stored', async (_, event) => {
  const app = await openTestApp();
  expect((await post(app, '/capture/', event)).status).toBe(200);
  expect((await post(app, '/batch/', { batch: [event] })).status).toBe(200);
  expect(await storedEvents(app)).toEqual([]);
});

test.each(['/capture/', '/batch/', '/decide?v=3'])('17, 18, 19 %s refuses an unknown key', async (path) => {
  const { ask } = await openTestApp();
  const body = {
    api_key: 'phc_unknown',
    distinct_id: 'ada',
    event: 'a',
    batch: [{ event: 'a', distinct_id: 'a' }],
  };
  // PostHog's capture cannot refuse an unknown token immediately; Burrow can.
  const answer = await ask(path, { method: 'POST', key: null, body });
  expect(answer.status).toBe(401);
});

test('19 flags are decided for a user, and the result has every field of the table', async () => {
  const app = await openTestApp();
  const answer = await app.ask('/decide?v=3', {
    method: 'POST',
    key: null,
    headers: { HTTP_X_FORWARDED_FOR: '203.0.113.7' },
    body: {
      api_key: TEST_TOKEN,
      distinct_id: 'ada',
      groups: { company: 'acme' },
      person_properties: { plan: 'free' },
      group_properties: { company: { seats: 5 } },
    },
  });
  expect(answer.status).toBe(200);
  expectFields(answer.json, FLAG_RESULT);
  expectFields(answer.json.config, { enable_collect_everything: 'boolean' });
  for (const compression of answer.json.supportedCompression) expect(compression).toEqual(expect.any(String));
  for (const payload of Object.values(answer.json.featureFlagPayloads))
    expect(payload).toEqual(expect.any(String));
});

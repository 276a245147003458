import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const LONG = 'x'.repeat(400_000);

async function send(app: TestApp, ...batch: object[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch };
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(answer.text).toBe('{"status":1}');
}

const set = (distinct_id: string, properties: object) => ({ event: '$set', distinct_id, properties });

async function personOf(app: TestApp, distinctId: string): Promise<{ id: number; properties: object }> {
  const found = await app.ask(`/api/projects/1/persons/?distinct_id=${distinctId}`);
  return (found.json.results as { id: number; properties: object }[])[0]!;
}

const namesOf = async (app: TestApp, distinctId: string) =>
  Object.keys((await personOf(app, distinctId)).properties).sort();

async function warnings(app: TestApp): Promise<[string, number][]> {
  const answer = await app.ask('/api/projects/1/burrow/ingestion_warnings/');
  return (answer.json.results as { type: string; count: number }[]).map(({ type, count }) => [type, count]);
}

test('an update that makes the properties of a person too large is ignored, and the event is stored', async () => {
  const app = await openTestApp();
  await send(app, set('ada', { $set: { a: LONG } }), set('ada', { $set: { b: LONG } }));
  await send(app, set('ada', { $set: { c: LONG } }), set('ada', { $set: { plan: 'pro' } }));
  expect(await namesOf(app, 'ada')).toEqual(['a', 'b', 'plan']);
  expect(await warnings(app)).toEqual([['person_properties_size_violation', 1]]);
  const events = await app.ask('/api/projects/1/events/');
  expect(events.json.results).toHaveLength(4);
  await send(app, set('ada', { $unset: ['a'] }), set('ada', { $set: { c: LONG } }));
  await send(app, set('ada', { $set: { c: LONG.replace('x', 'y') } }));
  expect(await namesOf(app, 'ada')).toEqual(['b', 'c', 'plan']);
});

test('a merge whose properties would be too large keeps those of the survivor', async () => {
  const app = await openTestApp();
  await send(app, set('ada', { $set: { a: LONG, b: LONG } }), set('phone', { $set: { c: LONG } }));
  await send(app, {
    event: '$identify',
    distinct_id: 'ada',
    properties: { $anon_distinct_id: 'phone' },
  });
  expect(await namesOf(app, 'phone')).toEqual(['a', 'b']);
  expect(await warnings(app)).toEqual([['person_properties_size_violation', 1]]);
});

test('M9.3, M9.4 the API refuses to make the properties of a person or group too large', async () => {
  const app = await openTestApp();
  await send(app, {
    event: '$groupidentify',
    distinct_id: 'ada',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { a: LONG, b: LONG } },
  });
  await send(app, set('ada', { $set: { a: LONG, b: LONG } }));
  const { id } = await personOf(app, 'ada');
  const ask = (method: string, path: string, body: object) =>
    app.ask(`/api/projects/1/${path}`, { method, body });
  const answers = [
    await ask('PATCH', `persons/${id}/`, { properties: { c: LONG } }),
    await ask('POST', 'groups/update_property/?group_type_index=0&group_key=acme', { key: 'c', value: LONG }),
    await ask('POST', 'groups/', {
      group_type_index: 0,
      group_key: 'other',
      group_properties: { a: LONG, b: LONG, c: LONG },
    }),
  ];
  for (const { status, json } of answers) expect([status, json.code]).toEqual([400, 'max_length']);
});

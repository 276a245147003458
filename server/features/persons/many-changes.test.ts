// @module-tag deep
import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

// Work that grew with the square of these numbers took minutes, and more memory than there is.
const MANY = 10_000;
const numbers = Array.from({ length: MANY }, (_, index) => index);

async function send(app: TestApp, batch: object[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch };
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(answer.text).toBe('{"status":1}');
}

async function personOf(app: TestApp, distinctId: string): Promise<Record<string, unknown>> {
  const found = await app.ask(`/api/projects/1/persons/?distinct_id=${distinctId}`);
  const person = (found.json.results as { id: number }[])[0]!;
  return (await app.ask(`/api/projects/1/persons/${person.id}/`)).json as Record<string, unknown>;
}

test('6.6.4 one request may merge thousands of persons into each other, in sequence', async () => {
  const app = await openTestApp();
  const chain = numbers.map((n) => `id${String(n).padStart(5, '0')}`);
  await send(
    app,
    chain.map((id) => ({ event: 'visit', distinct_id: id, properties: { $set: { [id]: 1 } } })),
  );
  await send(
    app,
    chain.slice(1).map((distinct_id, n) => ({
      event: '$merge_dangerously',
      distinct_id,
      properties: { alias: chain[n] },
    })),
  );
  const { distinct_ids, properties, uuid } = await personOf(app, chain[0]!);
  expect(distinct_ids).toEqual(chain.toReversed());
  expect(Object.keys(properties as object).sort()).toEqual(chain);
  const activity = await app.ask(`/api/projects/1/burrow/persons/${String(uuid)}/activity/`);
  expect(activity.json.count).toBe(2 * MANY - 1);
});

test('6.6.4 one request may merge thousands of persons into one', async () => {
  const app = await openTestApp();
  await send(
    app,
    numbers.map((n) => ({ event: 'visit', distinct_id: `device${n}` })),
  );
  await send(
    app,
    numbers.map((n) => ({
      event: '$identify',
      distinct_id: 'ada',
      properties: { $anon_distinct_id: `device${n}` },
    })),
  );
  const { distinct_ids } = await personOf(app, 'device7');
  const [first, ...others] = numbers.map((n) => `device${n}`);
  expect(distinct_ids).toEqual([first, 'ada', ...others]);
});

test('6.3, 6.7 one request may set and unset thousands of properties of one person or group, in sequence', async () => {
  const app = await openTestApp();
  const ofPerson = (update: (n: number) => object) =>
    numbers.map((n) => ({ event: '$set', distinct_id: 'ada', properties: update(n) }));
  await send(
    app,
    ofPerson((n) => ({ $set: { [`key${n}`]: n } })),
  );
  expect(Object.keys((await personOf(app, 'ada'))['properties'] as object)).toHaveLength(MANY);
  await send(
    app,
    ofPerson((n) => ({ $unset: [`key${n}`] })),
  );
  expect((await personOf(app, 'ada'))['properties']).toEqual({});
  await send(
    app,
    numbers.map((n) => ({
      event: '$groupidentify',
      distinct_id: 'ada',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { [`key${n}`]: n } },
    })),
  );
  const group = await app.ask('/api/projects/1/groups/find/?group_type_index=0&group_key=acme');
  expect(Object.keys(group.json.group_properties as object)).toHaveLength(MANY);
});

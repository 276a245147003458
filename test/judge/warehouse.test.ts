import { expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../../server/db/db.ts';
import { readWarehouseAddress, type WarehouseAddress } from '../../server/lib/warehouse-address.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';
import { openTestStore } from '../support/store.ts';
import { shareClickhouseServer } from '../support/clickhouse-server.ts';

const openServer = shareClickhouseServer();
let databases = 0;

async function query(app: TestApp, sql: string): Promise<unknown> {
  const answer = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'HogQLQuery', query: sql } },
  });
  return answer.status === 200 ? answer.json.results : answer.json;
}

function send(app: TestApp, batch: object[]): Promise<unknown> {
  return app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

test('what is stored is in ClickHouse when a question is answered, merges and deletions too', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ config: { warehouse } });
  await expect.poll(() => app.app.features.warehouse!.isComplete).toBe(true);
  const at = '2026-11-20T08:00:00Z';
  await send(app, [
    { event: 'seen', distinct_id: 'anon', timestamp: at, properties: { plan: 'pro', n: 1.5 } },
    { event: 'seen', distinct_id: 'b', timestamp: at, properties: { $set: { email: 'b@example.com' } } },
  ]);
  expect(await query(app, 'select distinct_id, properties.plan from events order by distinct_id')).toEqual([
    ['anon', 'pro'],
    ['b', null],
  ]);
  expect(await query(app, 'select count(distinct person_id) from events')).toEqual([[2]]);
  await send(app, [
    { event: '$identify', distinct_id: 'b', timestamp: at, properties: { $anon_distinct_id: 'anon' } },
  ]);
  expect(await query(app, 'select count(), count(distinct person_id) from events')).toEqual([[3, 1]]);
  expect(await query(app, "select person.properties.email from events where event = 'seen'")).toEqual([
    ['b@example.com'],
    ['b@example.com'],
  ]);
  const [[person]] = (await query(app, 'select person_id from events limit 1')) as [[string]];
  await app.ask(`/api/projects/1/persons/${person}/?delete_events=true`, { method: 'DELETE' });
  expect(await query(app, 'select count() from events')).toEqual([[0]]);
  expect(await query(app, 'select count() from persons')).toEqual([[0]]);
  expect(app.errors).toEqual([]);
});

test('what was stored before is copied, and both are equal; then everything that changes is too', async (context) => {
  const server = await openServer(context);
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const before = await openTestApp({ store, config: { warehouse: null } });
  const batch = Array.from({ length: 300 }, (_, n) => ({
    event: n % 3 === 0 ? 'paid' : 'seen',
    distinct_id: `user-${n % 20}`,
    timestamp: new Date(Date.UTC(2026, 9 + (n % 2), 1 + (n % 19))).toISOString(),
    properties: { n, $set: { n }, $groups: { company: `c${n % 4}` } },
  }));
  await send(before, batch);
  await before.ask('/batch/', {
    method: 'POST',
    key: null,
    body: {
      api_key: TEST_TOKEN,
      batch: [
        {
          event: '$groupidentify',
          distinct_id: 'user-1',
          properties: { $group_type: 'company', $group_key: 'c1', $group_set: { name: 'One' } },
        },
      ],
    },
  });
  await store.service('capture').call({ kind: 'storage.compact' });
  await send(before, batch.slice(0, 10));
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ store, config: { warehouse } });
  await expect.poll(() => app.app.features.warehouse!.isComplete).toBe(true);
  const check = () => app.ask('/api/burrow/warehouse/check/', { method: 'POST' });
  expect((await check()).json).toMatchObject({ is_equal: true, differences: [] });
  expect(await query(app, 'select count(), count(distinct person_id), uniq($group_0) from events')).toEqual([
    [311, 20, 5],
  ]);

  await send(app, [
    { event: '$identify', distinct_id: 'user-1', properties: { $anon_distinct_id: 'new-anon' } },
    { event: 'seen', distinct_id: 'new-anon' },
    { event: '$create_alias', distinct_id: 'user-2', properties: { alias: 'second' } },
  ]);
  const persons = 'select count(distinct person_id) from events';
  expect(await query(app, persons)).toEqual([[20]]);
  const [[split]] = (await query(
    app,
    "select person_id from events where distinct_id = 'new-anon' limit 1",
  )) as [[string]];
  expect(
    (await app.ask(`/api/projects/1/persons/${split}/split/`, { method: 'POST', body: {} })).status,
  ).toBe(201);
  expect(await query(app, persons)).toEqual([[21]]);
  expect((await check()).json).toMatchObject({ is_equal: true, differences: [] });

  const cohort = await app.ask('/api/projects/1/cohorts/', {
    method: 'POST',
    body: {
      name: 'Payers',
      filters: {
        properties: {
          type: 'OR',
          values: [{ type: 'AND', values: [{ type: 'person', key: 'n', operator: 'gt', value: 290 }] }],
        },
      },
    },
  });
  expect(cohort.status).toBe(201);
  const inCohort = `select count(distinct person_id) from events where person_id in cohort ${cohort.json.id}`;
  expect(await query(app, inCohort)).toEqual([[9]]);
  expect((await app.ask('/api/projects/1/burrow/events/', { method: 'DELETE' })).status).toBe(200);
  expect(await query(app, 'select count() from events')).toEqual([[0]]);
  expect((await check()).json).toMatchObject({ is_equal: true, rows: 0 });
  expect(app.errors).toEqual([]);
});

test('deleted persons leave ClickHouse, whatever their IDs are; what only the file deletes by its age stays', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ config: { warehouse } });
  await expect.poll(() => app.app.features.warehouse!.isComplete).toBe(true);
  const awkward = String.raw`it's \ "one" -- ; DROP`;
  await send(app, [
    { event: 'old', distinct_id: 'kept', timestamp: '2026-01-01T00:00:00Z' },
    { event: 'seen', distinct_id: awkward, properties: { $set: { email: 'secret@example.com' } } },
    { event: 'seen', distinct_id: 'kept' },
  ]);
  expect(await query(app, 'select count() from events')).toEqual([[3]]);
  const { results } = (await app.ask('/api/projects/1/persons/?search=secret')).json;
  await app.ask(`/api/projects/1/persons/${results[0].uuid}/?delete_events=true`, { method: 'DELETE' });
  expect(await query(app, 'select event, distinct_id from events order by event')).toEqual([
    ['old', 'kept'],
    ['seen', 'kept'],
  ]);
  const stored = await app.app.features.warehouse!.analytics.all(
    `SELECT max(version), argMax(properties, version) FROM ${warehouse.database}.persons WHERE project_id = 1
     AND id = {id:UUID} SETTINGS final = 0`,
    { id: results[0].uuid },
  );
  expect(stored).toMatchObject([{ c1: '{}' }]);
  await app.ask('/api/projects/1/burrow/retention/', { method: 'PUT', body: { max_days: 30 } });
  await expect.poll(async () => (await app.store.db.all('SELECT event FROM all_events')).length).toBe(1);
  expect(await query(app, 'select count() from events')).toEqual([[2]]);
});

test('answers follow changed cohorts; lists, stored objects and types that differ are answered, and what ClickHouse cannot is named', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ config: { warehouse } });
  await expect.poll(() => app.app.features.warehouse!.isComplete).toBe(true);
  const elements = 'a.buy:attr_id="go"href="/cart"nth-child="1"text="Buy"';
  await send(app, [
    { event: 'seen', distinct_id: 'a', properties: { n: 1, $set: { plan: 'pro' } } },
    { event: '$autocapture', distinct_id: 'b', properties: { $elements_chain: elements } },
  ]);

  const rule = (value: string) => ({
    properties: {
      type: 'OR',
      values: [{ type: 'AND', values: [{ key: 'plan', type: 'person', value, operator: 'exact' }] }],
    },
  });
  const { json: cohort } = await app.ask('/api/projects/1/cohorts/', {
    method: 'POST',
    body: { name: 'Rule', filters: rule('none') },
  });
  const inCohort = `select count() from events where person_id in cohort ${cohort.id}`;
  expect(await query(app, inCohort)).toEqual([[0]]);
  await app.ask(`/api/projects/1/cohorts/${cohort.id}/`, { method: 'PATCH', body: { filters: rule('pro') } });
  expect(await query(app, inCohort)).toEqual([[1]]);

  expect(await query(app, 'select name from system.cohorts')).toEqual([['Rule']]);
  const names = [...Array.from({ length: 5_000 }, (_, at) => `'it\\'s ${at}'`), "'seen'"];
  expect(await query(app, `select count() from events where event in (${names.join()})`)).toEqual([[1]]);
  expect(
    await query(
      app,
      `select elements_chain_href, elements_chain_texts, elements_chain_ids, elements_chain_elements
       from events where event = '$autocapture'`,
    ),
  ).toEqual([['/cart', ['Buy'], ['go'], ['a']]]);
  const mixed = await query(
    app,
    'select x, count() from (select toUInt64(1) as x union all select toInt64(-1) as x) group by x order by 2',
  );
  expect(mixed).toHaveLength(2);
  const funnel = `select aggregate_funnel(1, 10, 'first_touch', 'ordered', [''], [], groupArray((1.0, uuid, '', [1]))) from events`;
  expect(await query(app, funnel)).toMatchObject({
    code: 'invalid_input',
    detail: 'ClickHouse, which answers here, lacks a function of this statement.',
  });
  expect(app.errors).toEqual([]);
});

test('a query of ClickHouse ends at its time limit', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ config: { warehouse } });
  const { analytics } = app.app.features.warehouse!;
  const endless = 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1';
  await expect(analytics.all(endless, {}, { timeoutMs: 1_000 })).rejects.toThrow(InterruptedError);
  expect(await analytics.all('SELECT 1')).toEqual([{ c0: 1 }]);
});

test('while ClickHouse is away capture goes on and questions say so; then it has everything', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const app = await openTestApp({ config: { warehouse } });
  await expect.poll(() => app.app.features.warehouse!.isComplete).toBe(true);
  await server.kill();
  expect(await send(app, [{ event: 'seen', distinct_id: 'a' }])).toMatchObject({ status: 200 });
  expect(await query(app, 'select count() from events')).toMatchObject({ code: 'warehouse_away' });
  await expect
    .poll(async () => (await app.ask('/api/burrow/warehouse/')).json.warehouse)
    .toMatchObject({ state: 'away', problem: 'ClickHouse does not answer.', waiting_events: 1 });
  // Deleted before it was sent.
  await send(app, [{ event: 'seen', distinct_id: 'left' }]);
  const { results } = (await app.ask('/api/projects/1/persons/?distinct_id=left')).json;
  await app.ask(`/api/projects/1/persons/${results[0].uuid}/?delete_events=true`, { method: 'DELETE' });
  await server.restart();
  await expect.poll(() => query(app, 'select count() from events')).toEqual([[1]]);
  expect((await app.ask('/api/burrow/warehouse/')).json.warehouse).toMatchObject({
    state: 'streaming',
    problem: null,
    waiting_events: 0,
    waiting_since: null,
  });
});

test('the database of another file is refused, and the file answers', async (context) => {
  const server = await openServer(context);
  const warehouse = readWarehouseAddress(server.address(`stream_${(databases += 1)}`)) as WarehouseAddress;
  const first = await openTestApp({ config: { warehouse } });
  await expect.poll(() => first.app.features.warehouse!.isComplete).toBe(true);
  const other = await openTestApp({ config: { warehouse } });
  await expect
    .poll(async () => (await other.ask('/api/burrow/warehouse/')).json.warehouse)
    .toMatchObject({ state: 'refused', answers: false });
  await send(other, [{ event: 'seen', distinct_id: 'a' }]);
  expect(await query(other, 'select count() from events')).toEqual([[1]]);
});

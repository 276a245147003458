import { expect, test } from 'vitest';
import { readWarehouseAddress, type WarehouseAddress } from '../../server/lib/warehouse-address.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';
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

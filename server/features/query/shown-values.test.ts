import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

async function inKolkata() {
  const app = await openTestApp();
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { timezone: 'Asia/Kolkata' } });
  const body = `{"api_key":"${TEST_TOKEN}","event":"paid","distinct_id":"ada","timestamp":"2026-11-19T18:30:00Z","properties":{}}`;
  expect((await fetch(`${app.url}/e/`, { method: 'POST', body })).status).toBe(200);
  const query = async (node: object): Promise<any> =>
    (await app.ask('/api/projects/1/query/', { method: 'POST', body: { query: node } })).json;
  return { app, query };
}

test('A-7 moments of results have the offset of the project, comparisons are 1 or 0, maps are objects', async () => {
  const { app, query } = await inKolkata();
  const text = `select timestamp, event = 'paid', true, map('a', 1 = 2), [timestamp], toTimeZone(timestamp, 'UTC') from events`;
  const answer = await query({ kind: 'HogQLQuery', query: text });
  const local = '2026-11-20T00:00:00+05:30';
  expect(answer.results).toEqual([[local, 1, true, { a: 0 }, [local], '2026-11-19T18:30:00.000000Z']]);
  expect(answer.types.map(([, type]: [string, string]) => type)).toEqual([
    "DateTime64(6, 'Asia/Kolkata')",
    'UInt8',
    'Bool',
    'Map(String, UInt8)',
    "Array(DateTime64(6, 'Asia/Kolkata'))",
    "DateTime64(6, 'UTC')",
  ]);
  const csv = await app.ask('/api/projects/1/burrow/query/export/', {
    method: 'POST',
    body: {
      query: { kind: 'HogQLQuery', query: `select timestamp, event = 'paid' as is_paid from events` },
      format: 'csv',
    },
  });
  expect(csv.text.trim()).toBe(`timestamp,is_paid\n${local},1`);
});

test("A-7 tables of events show the project's time, and the list of stored events shows UTC", async () => {
  const { app, query } = await inKolkata();
  const table = await query({ kind: 'EventsQuery', select: ['timestamp', "event = 'paid'"], after: 'all' });
  expect(table.results).toEqual([['2026-11-20T00:00:00+05:30', 1]]);
  const [[event, person]] = (await query({ kind: 'EventsQuery', select: ['*', 'person'], after: 'all' }))
    .results;
  expect(event.timestamp).toBe('2026-11-20T00:00:00+05:30');
  // The object of a person is that of the management API.
  expect(person.created_at).toMatch(/Z$/);
  const listed = await app.ask('/api/projects/1/events/');
  expect(listed.json.results[0].timestamp).toMatch(/^2026-11-19T18:30:00(\.0+)?(Z|\+00:00)$/);
});

import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

const QUERY = `select 9007199254740991 as safe, 9007199254740993 as odd, -9007199254740993 as negative,
  9223372036854775807 as most, [9007199254740993] as list, (1, 9007199254740993) as pair, sum(number + 9007199254740993) as total
  from numbers(2)`;
async function post(path: string, body: object): Promise<string> {
  const app = await openTestApp();
  const answer = await fetch(`${app.url}/api/projects/1/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: { kind: 'HogQLQuery', query: QUERY }, ...body }),
  });
  return await answer.text();
}

test('A-7 whole numbers have all digits in results: a JSON number when that is exact, else a text', async () => {
  const answer = JSON.parse(await post('query/', {})) as { results: unknown };
  expect(answer.results).toEqual([
    [
      9007199254740991,
      '9007199254740993',
      '-9007199254740993',
      '9223372036854775807',
      ['9007199254740993'],
      [1, '9007199254740993'],
      '18014398509481987',
    ],
  ]);
});

test('A-7 whole numbers have all digits in files', async () => {
  const csv = await post('burrow/query/export/', { format: 'csv' });
  expect(csv.split('\n')[1]).toBe(
    '9007199254740991,9007199254740993,-9007199254740993,9223372036854775807,"[""9007199254740993""]","[1,""9007199254740993""]",18014398509481987',
  );
});

test('A-7 whole numbers in properties have all digits in tables of events and their files', async () => {
  const app = await openTestApp();
  const body = `{"api_key":"${TEST_TOKEN}","event":"paid","distinct_id":"ada","properties":{"order":9007199254740993,"deep":{"all":[9223372036854775807]}}}`;
  expect((await fetch(`${app.url}/e/`, { method: 'POST', body })).status).toBe(200);
  const asked = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'EventsQuery', select: ['*'], after: 'all' } },
  });
  expect(asked.json.results[0][0].properties).toMatchObject({
    order: '9007199254740993',
    deep: { all: ['9223372036854775807'] },
  });
  const csv = await app.ask('/api/projects/1/events/?format=csv');
  expect(csv.text).toContain('9007199254740993');
  expect(csv.text).toContain('9223372036854775807');
  expect((await app.ask('/api/projects/1/events/')).text).toContain('9007199254740993');
});

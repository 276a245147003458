import { expect, test } from 'vitest';
import { openTestApp } from '../../../test/support/test-app.ts';

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

test('A-7 whole numbers keep their digits in answers: a JSON number when that is exact, else a text', async () => {
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

test('A-7 whole numbers keep their digits in files', async () => {
  const csv = await post('burrow/query/export/', { format: 'csv' });
  expect(csv.split('\n')[1]).toBe(
    '9007199254740991,9007199254740993,-9007199254740993,9223372036854775807,"[""9007199254740993""]","[1,""9007199254740993""]",18014398509481987',
  );
});

import { expect, test } from 'vitest';
import { peakMemory, run } from './running.ts';

const ROWS = 'numbers(10000000)';
const nested = (levels: number, inner: string, wrap: (inner: string) => string): string =>
  levels === 0 ? inner : wrap(nested(levels - 1, inner, wrap));

/** Each would take many times the memory that the server may use. */
const BOMBS: readonly [string, string][] = [
  [
    'repeat of repeat',
    `select max(length(${nested(4, 'toString(number)', (x) => `repeat(${x}, 10000)`)})) from ${ROWS}`,
  ],
  [
    'doubled in subqueries',
    `select max(length(x)) from (${nested(40, `select toString(number) as x from ${ROWS}`, (x) => `select concat(x, x) as x from (${x})`)})`,
  ],
  [
    'replaced by more',
    `select max(length(${nested(20, 'toString(number)', (x) => `replaceAll(${x}, '1', '1111')`)})) from ${ROWS}`,
  ],
  [
    'replaced by itself',
    `select max(length(${nested(20, 'toString(number)', (x) => `replaceRegexpAll(${x}, '.+', '\\\\0\\\\0')`)})) from ${ROWS}`,
  ],
  ['a list for each row', `select max(length(arrayResize([number], 1000000000))) from ${ROWS}`],
  ['lists of numbers', `select max(length(range(number, number + 1000000000))) from ${ROWS}`],
  [
    'lists joined',
    `select max(length(x)) from (${nested(40, `select [number] as x from ${ROWS}`, (x) => `select arrayConcat(x, x) as x from (${x})`)})`,
  ],
  ['all in one list', `select length(groupArray(concat(toString(number), repeat('x', 1000)))) from ${ROWS}`],
  ['all in one text', `select length(groupConcat(',')(repeat(toString(number), 100))) from ${ROWS}`],
  [
    'all apart',
    `select count() from (select repeat(toString(number), 100) as x, count() from ${ROWS} group by x)`,
  ],
  ['all in order', `select repeat(toString(number), 1000) as x from ${ROWS} order by x desc limit 50000`],
  ['lists of lists, written out', 'select length(arrayMap(x -> range(100000), range(10000)))'],
  ...[
    'range(x, x + 9999)',
    'a',
    't',
    'upper(t)',
    'concat(t, t)',
    'repeat(toString(x), 5000)',
    'arrayWithConstant(10000, x)',
    'arrayResize([x], 10000)',
    `splitByString('', t)`,
    `replaceAll(t, '1', toString(x))`,
    `map('a', a)`,
    'arrayMap(y -> arrayMap(z -> z, a), a)',
    `(${'x, '.repeat(100)}x)`,
  ].map((made): [string, string] => [
    `each item of a list: ${made.slice(0, 40)}`,
    `select sum(length(arrayMap(x -> ${made}, a))) from (select range(number, number + 1999) as a, repeat(toString(number), 2000) as t from ${ROWS})`,
  ]),
  [
    'sorted by long texts',
    `select sum(length(arraySort(x -> repeat(toString(x), 5000), range(number, number + 1999)))) from ${ROWS}`,
  ],
  [
    'a text that is folded',
    `select max(length(arrayFold((all, x) -> concat(all, toString(x)), range(number, number + 9999), ''))) from ${ROWS}`,
  ],
  [
    'copies in an array',
    `select sum(length([${'a, '.repeat(200)}a])) from (select range(number, number + 1999) as a from ${ROWS})`,
  ],
  [
    'texts cut into letters',
    `select sum(length(splitByString('', repeat(toString(number), 5000)))) from ${ROWS}`,
  ],
  [
    'filled by place',
    `select sum(length(x)) from (select groupArrayInsertAt(number, 900000) as x from ${ROWS} group by number % 1000)`,
  ],
];
const MIB = 1_048_576;
/** Above the limit of memory: the 300 MB at which the watch interrupts, and what is allocated until then. */
const MOST_MEMORY = (128 + 300 + 772) * MIB;

test('queries that need more memory than available are refused, and the server responds afterwards', async () => {
  const server = await run({ args: ['--memory-limit', '128MB'] });
  const ask = async (query: string) => {
    const answer = await fetch(`${server.url}/api/projects/${server.projectId}/query/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: { kind: 'HogQLQuery', query } }),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  for (const [name, query] of BOMBS) {
    const { status, json } = await ask(query);
    expect([name, status, json['code'] ?? json['results']]).toEqual([
      name,
      400,
      // Some are refused before they run: their functions would make too much (A-7).
      expect.stringMatching(/memory_limit_exceeded|timeout_exceeded|invalid_input/),
    ]);
    expect([name, (await ask('select 1')).json['results']]).toEqual([name, [[1]]]);
    expect([name, peakMemory(server.pid) < MOST_MEMORY]).toEqual([name, true]);
  }
});

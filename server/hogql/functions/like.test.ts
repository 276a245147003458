import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { HogqlError } from '../errors.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const ask = async (...exprs: string[]): Promise<unknown[]> =>
  (await askHogql(store, `select ${exprs.join(', ')}`)).results[0]!;
/** The same pattern as one that rows make. */
const ofRows = (pattern: string): string => `arrayMap(x -> x, [${quoted(pattern)}])[1]`;

/** LIKE as it is defined, by trying everything. */
function naive(text: readonly string[], pattern: readonly string[]): boolean {
  const [first, second] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '%')
    return naive(text, pattern.slice(1)) || (text.length > 0 && naive(text.slice(1), pattern));
  if (text.length === 0) return false;
  if (first === '_') return naive(text.slice(1), pattern.slice(1));
  const isEscape = first === '\\' && second !== undefined && '%_\\'.includes(second);
  return text[0] === (isEscape ? second : first) && naive(text.slice(1), pattern.slice(isEscape ? 2 : 1));
}

const UNITS = ['a', 'B', 'é', '😀', '\n', '.', '*', '(', '%', '_', '\\', '%', '_'];
const text = fc.array(fc.constantFrom(...UNITS.slice(0, 11)), { maxLength: 7 });
const pattern = fc
  .array(fc.constantFrom(...UNITS), { maxLength: 7 })
  .filter((units) => /\\*$/.exec(units.join(''))![0].length % 2 === 0);

test(
  'LIKE and ILIKE equal a naive matcher, for patterns of the query and of rows',
  { tags: ['deep'] },
  async () => {
    await fc.assert(
      fc.asyncProperty(text, pattern, async (units, wanted) => {
        const [x, p] = [units.join(''), wanted.join('')];
        const lower = (all: string[]): string[] => all.map((one) => one.toLowerCase());
        const [isLike, isIlike] = [naive(units, wanted), naive(lower(units), lower(wanted))];
        const answers = await ask(
          `${quoted(x)} like ${quoted(p)}`,
          `${quoted(x)} ilike ${quoted(p)}`,
          `${quoted(x)} not like ${quoted(p)}`,
          `notILike(${quoted(x)}, ${quoted(p)})`,
          `${quoted(x)} like ${ofRows(p)}`,
          `${quoted(x)} ilike ${ofRows(p)}`,
        );
        expect([x, p, answers]).toEqual([x, p, [isLike, isIlike, !isLike, !isIlike, isLike, isIlike]]);
      }),
      { numRuns: 150 },
    );
  },
);

/** As ClickHouse 26.7 answers. */
test.each([
  ['a\\b', 'a\\\\b', true],
  ['a\\xb', 'a\\xb', true],
  ['axb', 'a\\xb', false],
  ['a%', 'a\\%', true],
  ['ab', 'a\\%', false],
  ['a_', 'a\\_', true],
  ['a\nb', 'a_b', true],
  ['a\nb', 'a%b', true],
  ['é', '_', true],
  ['a\0b', 'a%b', true],
  ['', '', true],
  ['', '%', true],
  ['a', '', false],
])('%j like %j is %j', async (x, p, isLike) => {
  expect(await ask(`${quoted(x)} like ${quoted(p)}`, `${quoted(x)} like ${ofRows(p)}`)).toEqual([
    isLike,
    isLike,
  ]);
});

test('a pattern that ends with a lone backslash, or has too many wildcards, is refused with the limit', async () => {
  await expect(ask(`'x' like 'x\\\\'`)).rejects.toThrow(HogqlError);
  await expect(ask(`'x' like ${ofRows('x\\')}`)).rejects.toThrow(/single backslash/);
  await expect(ask(`'x' like '${'_'.repeat(1001)}'`)).rejects.toThrow(/up to 1000 "_"/);
  await expect(ask(`'x' like ${ofRows(`${'_'.repeat(1001)}`)}`)).rejects.toThrow(/up to 1000 bytes/);
  expect(await ask(`'x' like null`, `null like '_a'`, `'x' not like null`)).toEqual([false, false, true]);
});

/** DuckDB's own LIKE does not end on these within the life of a machine. */
const HOSTILE = [`%${'a_%'.repeat(20)}z`, `${'%a_'.repeat(20)}\\%`, `${'a%_'.repeat(30)}b`];

test.each(HOSTILE)('matching the pattern %s against long texts terminates', async (hostile) => {
  const long = `repeat(concat('aab', toString(number)), 5000)`;
  for (const condition of [
    `${long} like ${quoted(hostile)}`,
    `${long} ilike ${quoted(hostile)}`,
    `${long} not like ${quoted(hostile)}`,
    `${long} like concat(${quoted(hostile)}, toString(number))`,
    `match(${long}, ${quoted(`(?s)^${hostile.replaceAll('\\', '').replaceAll('%', '.*').replaceAll('_', '.')}$`)})`,
    `${long} =~ ${quoted(`(?s)${'a.*'.repeat(20)}z`)}`,
  ]) {
    const { results } = await askHogql(store, `select countIf(${condition}) from numbers(50)`);
    expect([0, 50]).toContain(results[0]![0]);
  }
});

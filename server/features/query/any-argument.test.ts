import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { compileHogql } from '../../hogql/compile.ts';
import { FUNCTIONS } from '../../hogql/functions/find-function.ts';
import type { FunctionRow } from '../../hogql/functions/function-row.ts';
import { refusalOf } from './query-failure.ts';

/** What no function may answer with a 500. */
const ARGUMENTS = [
  'null',
  `''`,
  `'a'`,
  'x -> x',
  '(x, y) -> x',
  '[]',
  '[null]',
  '[1, 2]',
  `['a']`,
  '[[1]]',
  'map()',
  `map('a', 1)`,
  `(1, 'a')`,
  'true',
  '-1',
  '1.5',
  '9223372036854775807',
  '1e308',
  'now()',
  'today()',
  'toIntervalDay(1)',
  'generateUUIDv4()',
  'number',
  'toString(number)',
];

/** Each argument in all places, and in each place among ordinary ones. */
function calls({ name, minArgs, maxArgs, minParams = 0, window }: FunctionRow): string[] {
  const params = minParams === 0 ? '' : `(${Array.from({ length: minParams }, () => '1').join(', ')})`;
  const over = window === true ? ' over ()' : '';
  const write = (args: readonly string[]): string => `${name}${params}(${args.join(', ')})${over}`;
  const counts = [...new Set([minArgs, Math.min(maxArgs, minArgs + 1, 4)])];
  return counts.flatMap((count) => {
    const same = ARGUMENTS.map((argument) => write(Array.from({ length: count }, () => argument)));
    if (count < 2) return same;
    const others = ['[1, 2]', `'a'`, '1'].flatMap((other) =>
      Array.from({ length: count }).flatMap((_, place) =>
        ARGUMENTS.map((argument) =>
          write(Array.from({ length: count }, (__, at) => (at === place ? argument : other))),
        ),
      ),
    );
    return [...same, ...others];
  });
}

test('no function answers an argument of another kind with a 500', async () => {
  const store = await openTestStore();
  const faults: string[] = [];
  for (const row of FUNCTIONS) {
    for (const call of new Set(calls(row))) {
      try {
        const { sql, params } = compileHogql(
          await parseHogql(`select ${call} from numbers(2)`),
          testHogqlContext(),
        );
        await store.analytics.all(sql, params, { timeoutMs: 10_000 });
      } catch (error) {
        if (refusalOf(error, null) === null) faults.push(`${call}: ${String(error).slice(0, 160)}`);
      }
    }
  }
  await store.close();
  expect(faults).toEqual([]);
}, 600_000);

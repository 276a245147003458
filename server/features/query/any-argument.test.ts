// @module-tag deep
import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { compileHogql } from '../../hogql/compile.ts';
import { FUNCTIONS } from '../../hogql/functions/find-function.ts';
import type { FunctionRow } from '../../hogql/functions/function-row.ts';
import { refusalOf } from './query-errors.ts';

/** What no function may answer with a 500. */
const ARGUMENTS = [
  'null',
  `''`,
  'x -> x',
  '[]',
  '[null]',
  `map('a', 1)`,
  `(1, 'a')`,
  'true',
  '-1',
  '9223372036854775807',
  'now()',
  'toString(number)',
];

/** Each argument in all places, and in each place among ordinary ones. */
function calls({ name, minArgs, minParams = 0, window }: FunctionRow): string[] {
  const params = minParams === 0 ? '' : `(${Array.from({ length: minParams }, () => '1').join(', ')})`;
  const over = window === true ? ' over ()' : '';
  const write = (args: readonly string[]): string => `${name}${params}(${args.join(', ')})${over}`;
  const same = ARGUMENTS.map((argument) => write(Array.from({ length: minArgs }, () => argument)));
  const places = Array.from({ length: minArgs < 2 ? 0 : Math.min(minArgs, 3) }).flatMap((_, place) =>
    ARGUMENTS.map((argument) =>
      write(
        Array.from({ length: minArgs }, (__, at) => (at === place ? argument : place === 0 ? '1' : '[1, 2]')),
      ),
    ),
  );
  return [...same, ...places];
}

test('no function with an argument of another type is answered 500', async () => {
  const store = await openTestStore();
  const faults: string[] = [];
  const left = FUNCTIONS.flatMap((row) => [...new Set(calls(row))]);
  async function tryCalls(): Promise<void> {
    for (let call = left.pop(); call !== undefined; call = left.pop()) {
      try {
        const query = await parseHogql(`select ${call} from numbers(2)`);
        const { sql, params } = compileHogql(query, testHogqlContext());
        await store.analytics.all(sql, params, { timeoutMs: 10_000 });
      } catch (error) {
        if (refusalOf(error, null) === null) faults.push(`${call}: ${String(error).slice(0, 160)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, tryCalls));
  await store.close();
  expect(faults).toEqual([]);
}, 600_000);

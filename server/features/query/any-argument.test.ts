// @module-tag deep
import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Call as CallExpr, Expr, Query, SelectQuery } from '../../hogql/ast.ts';
import { compileHogql } from '../../hogql/compile.ts';
import { FUNCTIONS } from '../../hogql/functions/find-function.ts';
import type { FunctionRow } from '../../hogql/functions/function-row.ts';
import { replacePlaceholders } from '../../hogql/placeholders.ts';
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

const ORDINARY = ['1', '[1, 2]'] as const;

type Call = readonly [text: string, query: Query];

/** `select f({a0}, {a1}) from numbers(2)`: a function is parsed once, whatever its arguments are. */
async function readTemplate({ name, minArgs, minParams = 0, window }: FunctionRow): Promise<Query> {
  const params = minParams === 0 ? '' : `(${Array.from({ length: minParams }, () => '1').join(', ')})`;
  const args = Array.from({ length: minArgs }, (_, at) => `{a${at}}`).join(', ');
  return await parseHogql(
    `select ${name}${params}(${args})${window === true ? ' over ()' : ''} from numbers(2)`,
  );
}

/** Each argument in all places, and in each place among ordinary ones. */
function argumentsOf({ minArgs }: FunctionRow): string[][] {
  const same = ARGUMENTS.map((argument) => Array.from({ length: minArgs }, () => argument));
  const places = Array.from({ length: minArgs < 2 ? 0 : Math.min(minArgs, 3) }).flatMap((_, place) =>
    ARGUMENTS.map((argument) =>
      Array.from({ length: minArgs }, (__, at) => (at === place ? argument : ORDINARY[place === 0 ? 0 : 1])),
    ),
  );
  return [...new Map([...same, ...places].map((args) => [args.join(', '), args])).values()];
}

/** The trees of arguments, by their texts. */
async function readArguments(): Promise<Map<string, Expr>> {
  const texts = [...ARGUMENTS, ...ORDINARY];
  const trees = await Promise.all(
    texts.map(async (text): Promise<[string, Expr]> => {
      const query = (await parseHogql(`select f(${text})`)) as SelectQuery;
      return [text, (query.select[0] as CallExpr).args[0]!];
    }),
  );
  return new Map(trees);
}

async function callsOf(row: FunctionRow, trees: ReadonlyMap<string, Expr>): Promise<Call[]> {
  const template = await readTemplate(row);
  return argumentsOf(row).map((args) => [
    `${row.name}(${args.join(', ')})`,
    replacePlaceholders(template, ({ chain: [name] }) => trees.get(args[Number(name!.slice(1))]!)!),
  ]);
}

test('no function with an argument of another type is answered 500', async () => {
  const store = await openTestStore();
  const faults: string[] = [];
  const trees = await readArguments();
  const left = [...FUNCTIONS];
  async function tryCalls(): Promise<void> {
    for (let row = left.pop(); row !== undefined; row = left.pop()) {
      for (const [text, query] of await callsOf(row, trees)) {
        try {
          const { sql, params } = compileHogql(query, testHogqlContext());
          await store.analytics.all(sql, params, { timeoutMs: 10_000 });
        } catch (error) {
          if (refusalOf(error, null) === null) faults.push(`${text}: ${String(error).slice(0, 160)}`);
        }
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, tryCalls));
  await store.close();
  expect(faults).toEqual([]);
}, 600_000);

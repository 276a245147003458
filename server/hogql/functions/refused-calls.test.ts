import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import { compileHogql } from '../compile.ts';
import { HogqlError } from '../errors.ts';

const refusal = async (text: string): Promise<unknown> => {
  const query = await parseHogql(text);
  try {
    compileHogql(query, testHogqlContext());
    return null;
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error;
    return [error.message, text.slice(error.start ?? 0, error.end ?? 0)];
  }
};

const FROM = 'FROM events';
/** Calls with the reason why they are refused, and the text that the reason is about. */
const CALLS: readonly (readonly [call: string, reason: string, about: string])[] = [
  [`aggregate_funnel(0, 9, 'first_touch', 'ordered', [''], [])`, 'must be from 1 to 32', '0'],
  [`aggregate_funnel(2, -1, 'first_touch', 'ordered', [''], [])`, 'must be from 0 to', '-1'],
  [`aggregate_funnel(2, 9, 'touch', 'ordered', [''], [])`, 'must be first_touch', `'touch'`],
  [`aggregate_funnel(2, 9, 'step_0', 'any', [''], [])`, 'one of ordered, strict, unordered', `'any'`],
  [`aggregate_funnel(2, 9, 'step_0', 'strict', [''], 1, [])`, 'must be a constant array', '1'],
  [`aggregate_funnel(2, 9, 'step_0', 'strict', [''], [(1, 2)])`, 'tuples with 4 parts', '[(1, 2)]'],
  [`aggregate_funnel(2, 9, 'step_0', 'strict', [1], [(1, 2, 'a', [1])])`, 'no common type', '[1]'],
  [`aggregate_funnel_trends(3, 2, 9, 'step_0', 'strict', [''], [])`, 'must be from 0 to 1', '3'],
  [`windowFunnel(timestamp, event = 'a')`, '1 to 4 parameters', ''],
  ['windowFunnel(3)(timestamp)', '2 to 33 arguments', ''],
  [`windowFunnel(-1)(timestamp, event = 'a')`, 'must be 0 or more', ''],
  [`windowFunnel(1.5)(timestamp, event = 'a')`, 'must be a constant whole number', 'timestamp'],
  [`windowFunnel(1, 'loose')(timestamp, event = 'a')`, 'strict_deduplication, strict_order', ''],
  ['windowFunnel(1)(timestamp, [1])', 'Expected a condition', '[1]'],
  ['sumMap(event)', 'Expected a map, or an array of keys', 'event'],
  ['sumMap([1], 2)', 'Expected an array', '2'],
  ['uniqMap(event)', 'Expected a map', 'event'],
  ['sumForEach(event)', 'Expected an array', 'event'],
  ['corrMap(event)', '-Map is not supported for "corr"', ''],
  ['corrState(1, 2)', '-State is not supported for "corr"', ''],
  ['avgState(DISTINCT 1)', 'remove DISTINCT', ''],
  ['sumMerge(event)', 'Expected a state of sumState', 'event'],
  ['uniqUpToState(event)', '1 parameter', ''],
  [`multiFuzzyMatchAny(event, 9, ['a'])`, 'Up to 8 edits', '9'],
  [`convertCharset(event, 'utf-8', 'koi8-r')`, 'Character sets are UTF-8', `'koi8-r'`],
  ['geohashesInBox(0, 0, 1, 1, 13)', 'The precision can be up to 12', '13'],
  ['groupArray(0)(event)', 'must be 1 or more', 'event'],
  ['groupArraySample(event)', '1 to 2 parameters', ''],
  ['groupArrayMovingSum(0)(1)', 'must be 1 or more', '1'],
  ['groupArrayMovingAvg(-1)(1)', 'must be 1 or more', '1'],
  [`groupArrayInsertAt('x')(1, 2)`, 'cannot be added to values of type', '1'],
  ['arraySplit(x -> x > 1, event)', 'Expected an array', 'event'],
  ['arrayFill((x, y) -> x > y, [1])', 'has 2 parameters, but 1 arrays were passed', '(x, y) -> x > y'],
  ['toYearWeek(timestamp, 10)', 'modes of a week are 0 to 9', '10'],
  [`age('century', timestamp, timestamp)`, 'The unit must be one of these constants', "'century'"],
  [`date_bin(1, timestamp, timestamp)`, 'Expected an interval', '1'],
  [`timezone('UTC')`, 'Expected a date and time', "'UTC'"],
  [`dateName('era', timestamp)`, 'The part must be one of', "'era'"],
  [`JSON_VALUE(event, 'a.b')`, 'The path must be', "'a.b'"],
  [`JSON_VALUE(event, '$[*]')`, 'The path must be', "'$[*]'"],
  ['tuplePlus(tuple(1), tuple(1, 2))', 'tuples of the same length', ''],
  ['tuplePlus(1, tuple(1))', 'Expected a tuple', '1'],
  ['L2Norm(event)', 'Expected a tuple or an array', 'event'],
  ['LpNorm([1], 0.5)', 'number of 1 or more', '0.5'],
  [`mapAdd(map('a', 'b'), map('a', 'c'))`, 'numeric values', ''],
  ['mapUpdate(map(1, 2), event)', 'Expected a map', 'event'],
  [`mapApply((k, v) -> v, map('a', 1))`, 'must return a tuple', '(k, v) -> v'],
  [`extractAllGroups(event, 'a')`, 'no groups', `'a'`],
  [`extractAllGroups(event, '(')`, 'not a regular expression', `'('`],
  [`format('{', event)`, 'Unbalanced brace', `'{'`],
  [`format('{0}{}', event)`, 'either numbered or unnumbered', `'{0}{}'`],
  [`format('{3}', event)`, 'requires 4 values', `'{3}'`],
  ['ngrams(event, 0)', 'must be 1 or more', '0'],
  [`formatReadableTimeDelta(1, 'weeks')`, 'The unit must be one of', `'weeks'`],
  [`cutIPv6('::1', 20000000, 0)`, 'The number of bytes must be from 0 to 16', '20000000'],
  [`cutIPv6('::1', 0, -1)`, 'The number of bytes must be from 0 to 16', '-1'],
  ['cutIPv6(event, length(event), 0)', 'must be a constant whole number', 'length(event)'],
  ['JSON_VALUE(event, event)', 'must be a constant string', 'event'],
];

test.each(CALLS)('%s is refused: %s', async (call, reason, about) => {
  const found = await refusal(`SELECT ${call} ${FROM}`);
  expect(found).toEqual([expect.stringContaining(reason), expect.any(String)]);
  if (about !== '') expect((found as string[])[1]).toBe(about);
});

import type { CallContext, Printed } from './function-row.ts';
import { once } from './local-time.ts';

/**
 * Bytes beyond which no function makes a text longer than it was. The engine works on two thousand rows at a time and does
 * not count their texts to its memory, so that this times two thousand has to fit.
 */
export const MOST_GROWN = 32_768;
/** Bytes of one text that a function joins from a list, or repeats in the items of a list. */
export const MOST_JOINED = 131_072;
/** Items of an array that is the same for all rows. */
export const MOST_ITEMS = 1_000_000;
/** Items of an array that a function makes for each row. */
export const MOST_ITEMS_OF_ROWS = 10_000;

/** How messages of the engine begin that are sentences for the author of a query (`features/query/query-failure.ts`). */
export const LIMIT_MARK = 'Limit: ';

/** SQL that fails where the condition says that a result would be too large; the condition must cost little. */
export function unlessTooLarge(isTooLarge: string, sql: string, message = 'A result is too large'): string {
  return `(CASE WHEN ${isTooLarge} THEN error('${message}') ELSE ${sql} END)`;
}

/** The message of a function that would make more than its limit; it grows too large. */
export function limitOf({ name }: CallContext, most: number, what: string): string {
  return `${LIMIT_MARK}The result of "${name.replaceAll("'", '')}" is too large: the limit is ${most} ${what}.`;
}

/**
 * SQL that names several expressions several times, each written once. For a few: the engine plans lambdas in lambdas in a
 * time that doubles with each, so that as many as a query likes are named as one list (`once`).
 */
export function onceEach(
  sqls: readonly string[],
  call: Pick<CallContext, 'fresh'>,
  use: (...names: string[]) => string,
  names: readonly string[] = [],
): string {
  const [first, ...rest] = sqls;
  if (first === undefined) return use(...names);
  return once(first, call, (name) => onceEach(rest, call, use, [...names, name]));
}

/** Texts one after the other: all beside the longest must not be too long, so that a text is not doubled without end. */
export function joinedTexts(parts: readonly Printed[], call: CallContext): string {
  const written = parts.map(({ constant }) => (typeof constant === 'string' ? constant.length : null));
  const letters = written.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  // What the query itself writes out is as long as it is; short ends make no text long.
  const isSmall = written.filter((length) => length === null).length <= 1 && letters <= 100;
  const sqls = parts.map(({ sql }) => sql);
  if (isSmall || parts.length === 1) return `(${sqls.join(' || ')})`;
  return once(`[${sqls.join(', ')}]`, call, (texts) => {
    const text = `array_to_string(${texts}, '')`;
    const isNullable = parts.some(({ type }) => type.nullable);
    const joined = isNullable ? unlessMissing(texts, sqls.length, text) : text;
    return unlessTooLarge(`${beside(texts, 'strlen', call)} > ${MOST_GROWN}`, joined);
  });
}

/** Lists one after the other, of which all beside the longest must not be too long. */
export function joinedLists(lists: readonly string[], call: CallContext): string {
  if (lists.length === 1) return lists[0]!;
  return once(`[${lists.join(', ')}]`, call, (all) => {
    const joined = unlessMissing(all, lists.length, `flatten(${all})`);
    return unlessTooLarge(`${beside(all, 'len', call)} > ${MOST_ITEMS_OF_ROWS}`, joined);
  });
}

/** SQL for the sizes of all values of a list beside the largest. */
function beside(list: string, size: 'strlen' | 'len', call: CallContext): string {
  const one = call.fresh();
  return once(`list_transform(${list}, lambda ${one}: ${size}(${one}))`, call, (sizes) => {
    return `(list_sum(${sizes}) - list_max(${sizes}))`;
  });
}

/** SQL that is NULL where a value of a list of this many is NULL. */
function unlessMissing(list: string, count: number, sql: string): string {
  return `(CASE WHEN list_count(${list}) = ${count} THEN ${sql} END)`;
}

/** What is known of a replacement: SQL for what remains without what is found, for how many places, and what each gets. */
interface Replacement {
  readonly text: string;
  readonly remainder: string;
  readonly places: string;
  readonly added: string;
  /** How often the replacement contains the match. */
  readonly copies: number;
}

/** SQL of a replacement whose result is not too long; it is only looked at closely where it might be. */
export function replacedTexts({ text, remainder, places, added, copies }: Replacement, sql: string): string {
  const [length, kept] = [`strlen(${text})`, `strlen(${remainder})`];
  const limit = `greatest(${length}, ${MOST_GROWN})`;
  const most = `${length} * ${copies + 1} + (${length} + 1) * ${added}`;
  const exact = `${kept} + (${length} - ${kept}) * ${copies} + ${places} * ${added}`;
  return `(CASE WHEN ${most} <= ${limit} THEN ${sql} ELSE ${unlessTooLarge(`${exact} > ${limit}`, sql)} END)`;
}

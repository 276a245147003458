import type { CallContext } from './function-row.ts';
import { tuplePartSql, tupleSql } from '../tuple-sql.ts';
import { once, SHORT } from './local-time.ts';

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

/** Expressions that are named by lambdas in lambdas: the engine plans them in a time that doubles with each. */
const MOST_NESTED = 2;

/** SQL that names several expressions several times, each written once; as many as a query likes as the parts of one value. */
export function onceEach(
  sqls: readonly string[],
  call: Pick<CallContext, 'fresh'>,
  use: (...names: string[]) => string,
): string {
  const long = sqls.filter((sql) => sql.length > SHORT);
  if (long.length <= MOST_NESTED) return nested(sqls, call, use, []);
  return once(tupleSql(long), call, (all) => {
    let part = 0;
    return use(...sqls.map((sql) => (sql.length > SHORT ? tuplePartSql(all, (part += 1)) : sql)));
  });
}

function nested(
  sqls: readonly string[],
  call: Pick<CallContext, 'fresh'>,
  use: (...names: string[]) => string,
  names: readonly string[],
): string {
  const [first, ...rest] = sqls;
  if (first === undefined) return use(...names);
  return once(first, call, (name) => nested(rest, call, use, [...names, name]));
}

/** Texts one after the other: all beside the longest must not be too long, so that a text is not doubled without end. */
export function joinedTexts(
  parts: readonly { readonly sql: string; readonly constant?: unknown }[],
  call: CallContext,
): string {
  const join = (sqls: readonly string[]): string => `(${sqls.join(' || ')})`;
  const written = parts.map(({ constant }) => (typeof constant === 'string' ? constant.length : null));
  const letters = written.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  // What the query itself writes out is as long as it is; short ends make no text long.
  const isSmall = written.filter((length) => length === null).length <= 1 && letters <= 100;
  if (isSmall || parts.length === 1) return join(parts.map(({ sql }) => sql));
  return onceEach(
    parts.map(({ sql }) => sql),
    call,
    (...names) => {
      const lengths = names.map((name) => `strlen(${name})`);
      const beside = `${lengths.join(' + ')} - greatest(${lengths.join(', ')})`;
      return unlessTooLarge(`${beside} > ${MOST_GROWN}`, join(names));
    },
  );
}

/** Lists one after the other, of which all beside the longest must not be too long. */
export function joinedLists(lists: readonly string[], call: CallContext): string {
  if (lists.length === 1) return lists[0]!;
  return onceEach(lists, call, (...names) => {
    const items = names.map((name) => `len(${name})`);
    const beside = `${items.join(' + ')} - greatest(${items.join(', ')})`;
    return unlessTooLarge(`${beside} > ${MOST_ITEMS_OF_ROWS}`, `(${names.join(' || ')})`);
  });
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

import { stringify } from 'csv-stringify/sync';
import { fail } from '../../errors.ts';
import type { EventExpressions } from '../query/index.ts';
import type { Cursor, LimitedPage } from './event-page.ts';
import type { EventRow } from './event-row.ts';

const MAX_EXPRESSIONS = 100;

/**
 * Reads the expressions in a query of the events list (management contract 7.1): each parameter of the name is a JSON
 * list of texts, or a text. Throws invalid_input for the parameter.
 */
export function readExpressions(search: URLSearchParams, name: 'select' | 'where'): string[] {
  const texts = search.getAll(name).flatMap((given) => {
    const text = given.trim();
    if (text === '') return [];
    return text.startsWith('[') ? listOf(text, name) : [text];
  });
  if (texts.length <= MAX_EXPRESSIONS) return texts;
  throw fail('invalid_input', { attr: name, detail: `Up to ${MAX_EXPRESSIONS} expressions are allowed.` });
}

function listOf(text: string, name: string): string[] {
  const detail = 'Expected a JSON list of expressions, such as ["event", "properties.plan"].';
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  } catch {
    // An expression may begin with a bracket too, but then it is no list of texts.
  }
  throw fail('invalid_input', { attr: name, detail });
}

/** A page of which only those events are left for which all expressions hold. Throws invalid_input. */
export async function onlyWhere(
  page: LimitedPage,
  where: readonly string[],
  expressions: EventExpressions,
): Promise<LimitedPage> {
  if (where.length === 0) return page;
  const span = {
    from: page.after === null ? null : millisecondsOf(page.after),
    to: millisecondsOf(page.before) + 1,
  };
  const { sql, params } = await expressions.matching(where, span);
  const { filter } = page;
  return {
    ...page,
    filter: {
      ...filter,
      sql: `${filter.sql} AND e.uuid IN (SELECT c0 FROM (${sql}))`,
      params: { ...filter.params, ...params },
    },
  };
}

function millisecondsOf({ timestamp }: Cursor): number {
  return Number(timestamp / 1000n);
}

/** What expressions say of the events of a page (management contract 7.1): all of it, or an error. */
export async function selectedPage(
  expressions: EventExpressions,
  select: readonly string[],
  { limit }: LimitedPage,
  pieces: AsyncIterable<EventRow[]>,
): Promise<{ results: Record<string, unknown>[]; last: EventRow | null; hasMore: boolean }> {
  const rows: EventRow[] = [];
  for await (const piece of pieces) rows.push(...piece);
  const shown = rows.slice(0, limit);
  const results = await expressions.values(select, shown);
  return { results, last: shown.at(-1) ?? null, hasMore: rows.length > limit };
}

/** The same as CSV, a column for each expression. */
export function selectedCsv(select: readonly string[], results: readonly Record<string, unknown>[]): string {
  const cast = { boolean: String, object: (value: object) => JSON.stringify(value) };
  const rows = results.map((values) => select.map((text) => values[text]));
  return stringify(rows, { header: true, columns: [...select], escape_formulas: true, cast });
}

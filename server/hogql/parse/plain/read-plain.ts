import type { Alias, Expr, Field, JoinExpr, OrderExpr, SelectQuery } from '../../ast.ts';
import { HogqlError } from '../../errors.ts';
import { optional, optionalList } from '../reader.ts';
import type { Readings } from '../read-hogql.ts';
import { plainExpression } from './plain-expression.ts';
import { NotPlain, plainTokens, type PlainTokens } from './plain-tokens.ts';
import { isPlainAlias } from './plain-words.ts';

/** Longer texts are not plain. */
const MAX_LENGTH = 4_000;

/**
 * Reads what most texts consist of, in a fraction of the time that the grammar's parser takes: the very tree that it would
 * give, with every place. Null for any other text, also for each that is wrong.
 */
export function readPlain<Kind extends keyof Readings>(kind: Kind, text: string): Readings[Kind] | null {
  if (text.length > MAX_LENGTH || /[^\x20-\x7e\n\r\t]/.test(text)) return null;
  try {
    const tokens = plainTokens(text);
    const tree = READERS[kind](tokens);
    return tokens.kind === null ? (tree as Readings[Kind]) : null;
  } catch (error) {
    if (error instanceof NotPlain || error instanceof HogqlError) return null;
    throw error;
  }
}

const READERS: { [Kind in keyof Readings]: (tokens: PlainTokens) => Readings[Kind] } = {
  query: plainQuery,
  expression: (tokens) => plainExpression(tokens),
  order: plainOrder,
};

function plainQuery(tokens: PlainTokens): SelectQuery {
  const { start } = tokens;
  tokens.expect('select');
  const isDistinct = tokens.take('distinct');
  const select = listOf(tokens, plainColumn);
  const from = tokens.take('from') ? plainTable(tokens) : undefined;
  const where = tokens.take('where') ? plainExpression(tokens) : undefined;
  const groupBy = takeBoth(tokens, 'group') ? listOf(tokens, plainExpression) : undefined;
  const having = tokens.take('having') ? plainExpression(tokens) : undefined;
  const orderBy = takeBoth(tokens, 'order') ? listOf(tokens, plainOrder) : [];
  const limit = tokens.take('limit') ? plainCount(tokens) : undefined;
  // Its end has no offset of its own.
  const { end } = tokens;
  const offset = limit !== undefined && tokens.take('offset') ? plainCount(tokens) : undefined;
  tokens.take(';');
  return {
    node: 'SelectQuery',
    ...(isDistinct && { distinct: true as const }),
    select,
    ...optional('from', from),
    ...optional('where', where),
    ...optional('groupBy', groupBy && { kind: 'exprs' as const, exprs: groupBy }),
    ...optional('having', having),
    ...optionalList('orderBy', orderBy),
    ...optional('limit', limit),
    ...optional('offset', offset),
    start,
    end,
  };
}

/** Takes a word and the BY behind it. */
function takeBoth(tokens: PlainTokens, word: string): boolean {
  if (tokens.text !== word) return false;
  tokens.next();
  tokens.expect('by');
  return true;
}

function listOf<Item>(tokens: PlainTokens, read: (tokens: PlainTokens) => Item): Item[] {
  const items: Item[] = [];
  do items.push(read(tokens));
  while (tokens.take(','));
  return items;
}

function plainColumn(tokens: PlainTokens): Expr {
  const { start } = tokens;
  if (tokens.take('*')) return { node: 'Field', chain: ['*'], start, end: tokens.end };
  const expr = plainExpression(tokens);
  if (!tokens.take('as')) return expr;
  const alias: Alias = { node: 'Alias', expr, alias: tokens.name() };
  return { ...alias, start, end: tokens.end };
}

function plainTable(tokens: PlainTokens): JoinExpr {
  const { start } = tokens;
  const name = tokens.name();
  const table: Field = { node: 'Field', chain: [name], start, end: tokens.end };
  const hasAlias = tokens.take('as') || (tokens.kind === 'word' && isPlainAlias(tokens.text));
  const alias = hasAlias ? tokens.name() : undefined;
  return { node: 'JoinExpr', table, ...optional('alias', alias), start, end: tokens.end };
}

function plainOrder(tokens: PlainTokens): OrderExpr {
  const { start } = tokens;
  const expr = plainExpression(tokens);
  const isDescending = tokens.take('desc');
  if (!isDescending) tokens.take('asc');
  return { node: 'OrderExpr', expr, order: isDescending ? 'DESC' : 'ASC', start, end: tokens.end };
}

/** A number of rows. */
function plainCount(tokens: PlainTokens): Expr {
  if (tokens.kind !== 'number') throw new NotPlain();
  return plainExpression(tokens);
}

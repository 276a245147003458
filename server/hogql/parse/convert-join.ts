import { JOIN_TYPES, type Expr, type JoinExpr, type JoinType, type ValuesQuery } from '../ast.ts';
import { HogqlError } from '../errors.ts';
import type { GrammarNode } from './grammar.ts';
import { optional, part, type Reader } from './reader.ts';

/** Tables with what joins them. */
export function readJoins(json: GrammarNode, reader: Reader): JoinExpr {
  const place = reader.place(json);
  return {
    node: 'JoinExpr',
    ...readTable(json, reader),
    ...optional('alias', json.alias as string | null),
    ...optional('columnAliases', json.column_aliases as string[] | null),
    ...part('sample', json.sample, (node) => readSample(node, reader, place)),
    ...optional(
      'joinType',
      typeof json.join_type === 'string' ? readJoinType(json.join_type, place) : undefined,
    ),
    ...optional('constraint', readConstraint(json.constraint as GrammarNode | null, reader)),
    ...part('next', json.next_join, (node) => readJoins(node, reader)),
    ...place,
  };
}

function readTable(json: GrammarNode, reader: Reader): Pick<JoinExpr, 'table' | 'tableArgs'> {
  const node = json.table as GrammarNode;
  if (node.node === 'ValuesQuery') return { table: readValues(node, reader) };
  if (node.node === 'PivotExpr' || node.node === 'UnpivotExpr')
    throw new HogqlError('PIVOT and UNPIVOT are not supported.', reader.place(node));
  const table = reader.expr(node);
  switch (table.node) {
    case 'Field':
      return { table, ...(json.table_args ? { tableArgs: reader.exprs(json.table_args) } : {}) };
    case 'SelectQuery':
    case 'SelectSetQuery':
    case 'Placeholder':
      return { table };
    // A table function that was cut out of the text as a call.
    case 'Call':
      return { table: { node: 'Field', chain: [table.name] }, tableArgs: table.args };
    default:
      throw new HogqlError('Expected a table or a subquery in parentheses.', reader.place(node));
  }
}

function readValues(json: GrammarNode, reader: Reader): ValuesQuery {
  const rows = (json.rows as unknown[]).map((row) => reader.exprs(row));
  return { node: 'ValuesQuery', rows, ...reader.place(json) };
}

function readConstraint(json: GrammarNode | null, reader: Reader): JoinExpr['constraint'] {
  if (!json) return undefined;
  const expr = reader.expr(json.expr);
  if (json.constraint_type === 'ON') return { kind: 'ON', expr };
  const columns = (expr.node === 'Tuple' ? expr.exprs : [expr]).map((column) => nameOf(column));
  return { kind: 'USING', columns };
}

function nameOf(column: Expr): string {
  if (column.node !== 'Field' || column.chain.length !== 1)
    throw new HogqlError('USING requires column names.', column);
  return column.chain[0]!;
}

/** The words of a join in any order become one of ours: `LEFT OUTER JOIN` is `LEFT JOIN`, `JOIN` is `INNER JOIN`. */
function readJoinType(text: string, place: { start: number; end: number }): JoinType {
  const words = text.split(' ').filter((word) => !['OUTER', 'ALL', 'JOIN', 'INNER', 'GLOBAL'].includes(word));
  const has = (word: string): boolean => words.includes(word);
  const side = ['LEFT', 'RIGHT', 'FULL', 'CROSS'].find(has);
  const strictness = ['ASOF', 'ANY', 'SEMI', 'ANTI'].find(has);
  const afterSide = strictness === 'SEMI' || strictness === 'ANTI';
  const parts = afterSide ? [side, strictness] : [strictness, side];
  const inner = strictness === 'ASOF' ? 'ASOF JOIN' : `${strictness ? `${strictness} ` : ''}INNER JOIN`;
  const type = side === undefined && !afterSide ? inner : `${parts.filter(Boolean).join(' ')} JOIN`;
  const known = JOIN_TYPES.find((one) => one === type);
  if (known === undefined || words.length !== parts.filter(Boolean).length)
    throw new HogqlError(`${text} is not supported.`, place);
  return known;
}

function readSample(
  json: GrammarNode,
  reader: Reader,
  place: { start: number; end: number },
): NonNullable<JoinExpr['sample']> {
  const ratio = readRatio(json.sample_value as GrammarNode, reader);
  if (!(ratio > 0)) throw new HogqlError('SAMPLE requires a number greater than 0.', place);
  return { ratio, ...part('offset', json.offset_value, (node) => readRatio(node, reader)) };
}

function readRatio(json: GrammarNode, reader: Reader): number {
  const [left, right] = [json.left, json.right].map((side) => {
    const value = side ? reader.expr(side) : null;
    return value?.node === 'Constant' && typeof value.value === 'number' ? value.value : null;
  });
  return left === null || left === undefined ? Number.NaN : left / (right ?? 1);
}

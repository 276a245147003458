import type { Query, SelectSetQuery } from '../../ast.ts';
import { commonType } from '../../functions/common-type.ts';
import type { OutputColumn } from '../../resolve/output.ts';
import { refuse, type Place, type PrintedQuery } from '../../resolve/scope.ts';
import { duckdbType, scalar, type ValueType } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { visible } from './coerce.ts';
import { namedQueries } from './ctes.ts';
import { ownLimit } from './select.ts';
import type { Statement } from './statement.ts';

/** Queries put together by UNION and its like; columns are matched by place and brought to one type. */
export function printSet(node: SelectSetQuery, place: Place): PrintedQuery {
  const { statement, printer, outer, rows } = place;
  const { queries, text } = namedQueries(node, place);
  const parts = [node.first, ...node.rest.map((one) => one.query)].map((query): Query => {
    return query.node === 'Placeholder'
      ? refuse(`{${query.chain.join('.')}} has no value here.`, query)
      : query;
  });
  const printed = parts.map((query) => printer.query(query, outer, queries));
  const columns = printed[0]!.columns.map((column, at): OutputColumn => ({
    name: column.name,
    type: typeAt(printed, at),
  }));
  printed.forEach((part, at) => {
    if (part.columns.length !== columns.length) {
      refuse(
        `Combined queries must have the same number of columns, found ${columns.length} and ${part.columns.length}.`,
        parts[at]!,
      );
    }
  });
  const texts = printed.map((part, at) => brought(part, columns, statement, parts[at]!));
  const sql = texts.reduce(
    (left, right, at) => `${left} ${node.rest[at - 1]!.operator.replace(' DISTINCT', '')} ${right}`,
  );
  const { limit, offset } = rows ?? ownLimit(node);
  const ending = `${limit === null ? '' : ` LIMIT ${limit}`}${offset === 0 ? '' : ` OFFSET ${offset}`}`;
  return { sql: `${text}${ending === '' ? sql : `SELECT * FROM (${sql})${ending}`}`, columns };
}

function typeAt(printed: readonly PrintedQuery[], at: number): ValueType {
  const types = printed.flatMap((part) => part.columns[at]?.type ?? []);
  const shown = types.every((type) => type.name === 'Person' || type.name === 'Nothing')
    ? types
    : types.map((type) => (type.name === 'Person' ? scalar('UUID', type.nullable) : type));
  return shown.reduce((a, b) => commonType(a, b) ?? scalar('String', true));
}

/** A query whose columns have the types of all of them. */
function brought(
  part: PrintedQuery,
  columns: readonly OutputColumn[],
  statement: Statement,
  node: Query,
): string {
  const isSame = part.columns.every(
    ({ type }, at) => duckdbType(type) === duckdbType(columns[at]!.type) && type.name !== 'Nothing',
  );
  if (isSame) return `(${part.sql})`;
  const { fresh } = callContext(statement, node);
  const alias = fresh();
  const list = part.columns.map(({ type }, at) => {
    const wanted = columns[at]!.type;
    const value = { sql: `${alias}.c${at}`, type };
    const shown = wanted.name === 'Person' ? value : visible(value, statement);
    return `CAST(${shown.sql} AS ${duckdbType(wanted)}) AS c${at}`;
  });
  return `(SELECT ${list.join(', ')} FROM (${part.sql}) ${alias})`;
}

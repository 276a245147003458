import { tupleSql } from '../../tuple-sql.ts';
import type { Statement } from './statement.ts';

/** A column of a source, such as `e1.event`; parameters of lambdas are called `x1`. */
const COLUMNS = /\b(?!x\d)[a-z]\d+\.(?:"(?:[^"]|"")*"|\w+)/g;

/**
 * SQL of an array that is joined to the rows it is computed from. The engine (1.5.5) does not find a column of theirs that is first
 * named in a lambda within a lambda, so that all are named before.
 */
export function lateralArray(sql: string, statement: Pick<Statement, 'fresh'>): string {
  const lambdas = sql.match(/\blambda\b/g)?.length ?? 0;
  const columns = Array.from(new Set(sql.match(COLUMNS)));
  // Columns of a query inside the array cannot be named outside of it.
  if (lambdas < 2 || columns.length === 0 || /\bSELECT\b/.test(sql)) return sql;
  return `list_transform([${tupleSql(columns)}], lambda ${statement.fresh('x')}: ${sql})[1]`;
}

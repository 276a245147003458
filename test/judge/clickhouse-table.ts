import type { Value } from '../../server/db/db.ts';
import type { Table } from '../../server/features/query/query-kind.ts';
import type { Query } from '../../server/hogql/ast.ts';
import { compileForClickhouse } from '../../server/hogql/print/clickhouse/compile.ts';
import { testHogqlContext, type AskOptions } from '../support/ask-hogql.ts';
import { DATABASE } from './ask-both.ts';
import type { Clickhouse, ClickhouseRows } from './clickhouse.ts';

/** Answers a statement of an insight in ClickHouse, with values as Burrow has them: a left join without a match gives NULL there. */
export async function clickhouseTable(
  clickhouse: Clickhouse,
  query: Query,
  options: AskOptions,
): Promise<Table> {
  const context = testHogqlContext({ ...options, limits: { defaultRows: 50_000 } });
  const { sql, params, columns } = compileForClickhouse(query, context, { database: DATABASE });
  const found = await clickhouse.run(`${sql} SETTINGS join_use_nulls = 1`, params);
  return { columns, rows: valuesOf(found), hasMore: false, limit: 50_000, offset: 0 };
}

function valuesOf({ types, rows }: ClickhouseRows): Value[][] {
  return rows.map((row) => row.map((value, at) => valueOf(value, types[at]!)));
}

/** Whole numbers come as texts, so that they keep their digits. */
function valueOf(value: unknown, type: string): Value {
  if (Array.isArray(value)) return value.map((one) => valueOf(one, type));
  if (typeof value === 'string' && /Int64|Float64/.test(type) && /^-?\d+$/.test(value)) return Number(value);
  return value as Value;
}

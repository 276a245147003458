import type { Query } from '../../server/hogql/ast.ts';
import { compileHogql } from '../../server/hogql/compile.ts';
import type { CompiledQuery, HogqlContext } from '../../server/hogql/hogql-context.ts';
import type { Store } from '../../server/db/client.ts';
import type { Value } from '../../server/db/db.ts';
import { PROMOTED_PROPERTIES } from '../../server/warehouse/duckdb/promoted-properties.ts';
import { parseHogql } from './parse-hogql.ts';

/** The project settings that a test may set; the defaults are UTC, 20 November 2026, no known types. */
export type AskOptions = Partial<Omit<HogqlContext, 'limits'>> & { limits?: Partial<HogqlContext['limits']> };

export interface HogqlAnswer {
  columns: string[];
  types: string[];
  results: Value[][];
  compiled: CompiledQuery;
}

/** Project 1, at 20 November 2026, 09:30 UTC. */
export function testHogqlContext({ limits, ...options }: AskOptions = {}): HogqlContext {
  return {
    projectId: 1,
    timezone: 'UTC',
    now: Date.UTC(2026, 10, 20, 9, 30),
    propertyType: () => null,
    eventColumn: (name) =>
      (PROMOTED_PROPERTIES as readonly string[]).includes(name) ? { column: name, type: 'String' } : null,
    groupTypes: [],
    cohort: () => null,
    ...options,
    limits: { defaultRows: 100, maxRows: 50_000, ...limits },
  };
}

/** Parses, compiles and runs HogQL on the store of an app, or on a store; rows beyond the limit are cut off. */
export async function askHogql(
  at: { store: Store } | Store,
  text: string | Query,
  options: AskOptions = {},
): Promise<HogqlAnswer> {
  const store = 'store' in at ? at.store : at;
  const query = typeof text === 'string' ? await parseHogql(text) : text;
  const compiled = compileHogql(query, testHogqlContext(options));
  const rows = await store.analytics.all(compiled.sql, compiled.params);
  return {
    columns: compiled.columns.map((column) => column.name),
    types: compiled.columns.map((column) => column.type),
    results: rows.slice(0, compiled.limit).map((row) => compiled.columns.map((_, at) => row[`c${at}`]!)),
    compiled,
  };
}

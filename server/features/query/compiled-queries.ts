import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Query } from '../../hogql/ast.ts';
import type { CompiledQuery } from '../../hogql/hogql-context.ts';
import { printHogql } from '../../hogql/print/hogql.ts';
import type { HotProperty } from '../../warehouse/duckdb/hot-columns.ts';
import type { CompileInputs } from './project-schema-version.ts';

/** A query as it was compiled, and what else is known of it by then. */
export interface PreparedQuery extends CompiledQuery {
  /** The query as HogQL on one line. */
  hogql(): string;
  /** Event properties that it reads and that have no column of their own by birth. */
  readonly properties: readonly HotProperty[];
}

/** What was compiled, and whether it stays true while the shape of the data does. */
export interface Compiling {
  readonly compiled: CompiledQuery;
  readonly properties: readonly HotProperty[];
  /** False when it holds what changes without them: the moment of asking, members of cohorts. */
  readonly isLasting: boolean;
}

/** Queries that were compiled lately, so that a dashboard is not compiled at each look, also while events arrive. */
export interface CompiledQueries {
  /**
   * Compiles a query, or gives what came of the same tree with the same shape and the same `settings`, which is all
   * else that compiling depends on.
   */
  prepare(
    shape: CompileInputs,
    settings: readonly (string | number)[],
    query: Query,
    compile: () => Compiling,
  ): PreparedQuery;
}

/** Characters of all cached trees and statements. */
const KEPT_CHARACTERS = 16 * 1_048_576;

export function createCompiledQueries(): CompiledQueries {
  const kept = new LRUCache<string, PreparedQuery>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ sql }, key) => key.length + 2 * sql.length + 1_000,
  });
  const numbers = new WeakMap<CompileInputs, number>();
  let last = 0;

  function numberOf(shape: CompileInputs): number {
    const known = numbers.get(shape);
    if (known !== undefined) return known;
    numbers.set(shape, ++last);
    return last;
  }

  return {
    prepare(shape, settings, query, compile) {
      // Every number and text of a tree as it is: JSON has no word for NaN, -0 and large whole numbers.
      const key = serialize([numberOf(shape), settings, query]).toString('latin1');
      const known = kept.get(key);
      if (known !== undefined) return known;
      const { compiled, properties, isLasting } = compile();
      let text: string | null = null;
      const prepared = { ...compiled, properties, hogql: () => (text ??= printHogql(query)) };
      if (isLasting) kept.set(key, prepared);
      return prepared;
    },
  };
}

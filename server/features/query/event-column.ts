import type { HogqlContext } from '../../hogql/hogql-context.ts';
import { hotKey, type HotColumn, type HotProperty } from '../../warehouse/duckdb/hot-columns.ts';
import { PROMOTED_PROPERTIES } from '../../warehouse/duckdb/promoted-properties.ts';

const PROMOTED: ReadonlySet<string> = new Set(PROMOTED_PROPERTIES);

/** Finds the columns of `events` that hold properties, and tells which properties a query has asked for. */
export interface EventColumns {
  readonly find: HogqlContext['eventColumn'];
  /** Those that every file has a column for are left out. */
  asked(): HotProperty[];
}

/** For one query; `hot` are the columns that its store has now. */
export function eventColumns(hot: readonly HotColumn[]): EventColumns {
  const asked = new Map<string, HotProperty>();
  return {
    find(name, type) {
      if (PROMOTED.has(name)) return { column: name, type: 'String' };
      const key = hotKey({ name, type });
      asked.set(key, { name, type });
      const columns = hot.filter((column) => column.name === name);
      return columns.find((column) => hotKey(column) === key) ?? columns.find(isText) ?? null;
    },
    asked: () => [...asked.values()],
  };
}

function isText({ type }: HotColumn): boolean {
  return type === 'String';
}

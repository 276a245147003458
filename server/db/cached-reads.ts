import { LRUCache } from 'lru-cache';
import type { Db, Params, Row, Statements } from './db.ts';
import { sizeOf, statementKey } from './statement-key.ts';

/** Bytes of all cached results, and of a single one. */
const CACHE_BYTES = 8 * 1_048_576;
const MAX_ENTRY_BYTES = 1_048_576;

interface CachedRead {
  readonly rows: readonly Row[];
  /** Value of `Db.changes` before and after the read. */
  readonly changes: number;
}

/**
 * Caches repeated reads until `db` may have written. Only for tables that are written through `db` alone, and for
 * deterministic statements. Rows are shared by all callers and must not be modified.
 */
export function createCachedReads(db: Db): Statements {
  const cache = new LRUCache<string, CachedRead>({
    maxSize: CACHE_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ rows }, key) =>
      rows.reduce((sum, row) => sum + sizeOf(Object.values(row)), sizeOf(key)),
  });

  const all = async <T>(sql: string, params: Params = {}): Promise<T[]> => {
    const key = statementKey(sql, params);
    const changes = db.changes();
    const cached = cache.get(key);
    if (cached !== undefined && cached.changes === changes) return [...cached.rows] as T[];
    const rows = await db.all<Row>(sql, params);
    if (db.changes() === changes) cache.set(key, { rows, changes });
    return [...rows] as T[];
  };

  return {
    all,
    first: async <T>(sql: string, params?: Params) => (await all<T>(sql, params))[0] ?? null,
    run: (sql, params) => db.run(sql, params),
  };
}

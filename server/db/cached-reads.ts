import { LRUCache } from 'lru-cache';
import type { Db, Params, Row, Statements } from './db.ts';
import { sizeOf, statementKey } from './statement-key.ts';

/** Bytes of answers that are kept, and of one at most. */
const CACHE_BYTES = 8 * 1_048_576;
const MAX_ENTRY_BYTES = 1_048_576;

interface CachedRead {
  readonly rows: readonly Row[];
  /** As `Db.changes` was before and after they were read. */
  readonly changes: number;
}

/**
 * Reads that come again and again, from memory until `db` may have written anything: only for tables that nobody else
 * writes, and statements that give the same whenever they are asked. Its rows belong to all who ask: nobody changes them.
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

import { LRUCache } from 'lru-cache';
import type { Db, Params, Row, Statements } from './db.ts';
import { sizeOf, statementText } from './statement-memory.ts';

/** Bytes of answers that are kept, and of one at most. */
const KEPT_BYTES = 8 * 1_048_576;
const KEPT_AT_MOST = 1_048_576;

interface Kept {
  readonly rows: readonly Row[];
  /** As `Db.changes` was before and after they were read. */
  readonly changes: number;
}

/**
 * Reads that come again and again, from memory until `db` may have written anything: only for tables that nobody else
 * writes, and statements that give the same whenever they are asked. Its rows belong to all who ask: nobody changes them.
 */
export function createKeptReads(db: Db): Statements {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    maxEntrySize: KEPT_AT_MOST,
    sizeCalculation: ({ rows }, key) =>
      rows.reduce((sum, row) => sum + sizeOf(Object.values(row)), sizeOf(key)),
  });

  const all = async <T>(sql: string, params: Params = {}): Promise<T[]> => {
    const key = statementText(sql, params);
    const changes = db.changes();
    const known = kept.get(key);
    if (known !== undefined && known.changes === changes) return [...known.rows] as T[];
    const rows = await db.all<Row>(sql, params);
    if (db.changes() === changes) kept.set(key, { rows, changes });
    return [...rows] as T[];
  };

  return {
    all,
    first: async <T>(sql: string, params?: Params) => (await all<T>(sql, params))[0] ?? null,
    run: (sql, params) => db.run(sql, params),
  };
}

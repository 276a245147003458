import { z } from 'zod';

/** ClickHouse beside the file, as the stream to it is doing. */
const warehouseStatus = z.object({
  /** Host and port. */
  host: z.string(),
  database: z.string(),
  cluster: z.string().nullable(),
  /**
   * `copying`: what was stored before is on its way, and the file answers. `away`: ClickHouse does not answer. `refused`: its database
   * belongs to another file, or has what this file does not have.
   */
  state: z.enum(['starting', 'copying', 'streaming', 'away', 'refused']),
  /** What is wrong, in a sentence. */
  problem: z.string().nullable(),
  /** Whether it answers questions; until then the file does. */
  answers: z.boolean(),
  /** Events that are not there yet. */
  waiting_events: z.int(),
  /** Since when the oldest of them waits. */
  waiting_since: z.string().nullable(),
  /** Of what was stored before: rows that are left to copy, and all. */
  copy_rows_left: z.int(),
  copy_rows: z.int(),
  last_sent_at: z.string().nullable(),
  /** What it takes there; null: ClickHouse does not say. */
  bytes: z.int().nullable(),
  rows: z.int().nullable(),
});
export type WarehouseJson = z.output<typeof warehouseStatus>;

const checkedRows = z.object({ rows: z.int(), checksum: z.string() });
const difference = z.object({
  table: z.enum(['events', 'persons', 'person_distinct_ids', 'groups']),
  project: z.int(),
  /** The month of events, as 2026-11. */
  month: z.string().nullable(),
  file: checkedRows,
  warehouse: checkedRows,
});
const check = z.object({
  is_equal: z.boolean(),
  /** Rows that were compared. */
  rows: z.int(),
  differences: z.array(difference),
});
export type WarehouseCheckJson = z.output<typeof check>;

export const warehouseApi = {
  'GET /api/burrow/warehouse/': { response: z.object({ warehouse: warehouseStatus.nullable() }) },
  'POST /api/burrow/warehouse/check/': { response: check },
};

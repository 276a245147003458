import type { Params, Statements } from './db.ts';

/** Rows from `offset` on, both whole numbers. */
export interface Slice {
  limit: number;
  offset: number;
}

/**
 * The rows of a page and the number of all, in one statement. `found` is a SELECT without order whose rows have an id,
 * `order` says what comes first by its columns.
 */
export async function selectPage<Row extends { id: unknown }>(
  db: Statements,
  found: string,
  params: Params,
  order: string,
  { limit, offset }: Slice,
): Promise<{ rows: Row[]; count: number }> {
  // The count is in the first row; an empty page has one row without an ID.
  const rows = await db.all<Row & { count: number }>(
    `WITH found AS MATERIALIZED (${found})
     SELECT * FROM (SELECT count(*) AS count FROM found)
     LEFT JOIN (SELECT * FROM found ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) ON true
     ORDER BY ${order}`,
    params,
  );
  return { rows: rows.filter(({ id }) => id !== null), count: rows[0]?.count ?? 0 };
}

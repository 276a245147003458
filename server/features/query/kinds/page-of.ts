import type { KindContext } from '../query-kind.ts';

const DEFAULT_ROWS = 100;

/** The rows of a table that are wanted: 100 from the first one on, unless the query says otherwise; of an export all. */
export function pageOf(
  { limit, offset }: { limit?: number | null | undefined; offset?: number | null | undefined },
  { isExport }: Pick<KindContext, 'isExport'>,
): { limit?: number; offset: number } {
  const rows = limit ?? (isExport ? undefined : DEFAULT_ROWS);
  return { ...(rows === undefined ? {} : { limit: rows }), offset: offset ?? 0 };
}

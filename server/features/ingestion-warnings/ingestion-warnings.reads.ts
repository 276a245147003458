import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Statements } from '../../db/db.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { IngestionWarningJson } from './ingestion-warnings.contract.ts';

export interface WarningFilter {
  projectId: number;
  type: string | null;
  search: string | null;
}

interface WarningRow extends Omit<IngestionWarningJson, 'sample'> {
  sample: string;
}

const HOLDS = `project_id = $projectId AND ($type IS NULL OR type = $type) AND ($search IS NULL
  OR contains(lower(concat_ws(' ', type, source, lib, lib_version, sample)), lower($search)))`;

/** The warnings of a project, those with the newest cases first, and how many there are in all. */
export async function listWarnings(
  db: Statements,
  filter: WarningFilter,
  { limit, offset }: PageRequest,
): Promise<{ count: number; warnings: IngestionWarningJson[] }> {
  const params = { ...filter };
  const [rows, total] = await Promise.all([
    db.all<WarningRow>(
      `SELECT type, source, lib, lib_version, count, first_seen, last_seen, sample FROM ingestion_warnings
       WHERE ${HOLDS} ORDER BY last_seen DESC, type, source, lib, lib_version LIMIT ${limit} OFFSET ${offset}`,
      params,
    ),
    db.first<{ count: number }>(`SELECT count(*) AS count FROM ingestion_warnings WHERE ${HOLDS}`, params),
  ]);
  const warnings = rows.map((row) => ({
    ...row,
    sample: parseExactly(row.sample) as IngestionWarningJson['sample'],
  }));
  return { count: total?.count ?? 0, warnings };
}

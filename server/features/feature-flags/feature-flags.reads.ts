import type { Statements } from '../../db/db.ts';
import type { MinimalFlag } from './feature-flags.contract.ts';
import { minimalFlagOf } from './minimal-flag.ts';
import { FLAG, toFlag, type FlagRow } from './flag-row.ts';

/** What is known of flags beyond their own rows, by the flags' ids. */
export interface FlagLinks {
  /** When an SDK last reported a call; ISO 8601, UTC. */
  readonly lastCalled: ReadonlyMap<number, string>;
  readonly surveys: ReadonlyMap<number, readonly Record<string, unknown>[]>;
  readonly features: ReadonlyMap<number, readonly Record<string, unknown>[]>;
}

/** A live flag as far as others depend on it. */
export interface FlagNode {
  readonly id: number;
  readonly key: string;
  readonly active: boolean;
  readonly dependsOn: readonly number[];
}

/** Flags of a project by their ids, deleted ones too, in their short form. One statement. */
export async function findMinimalFlags(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<Map<number, MinimalFlag>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<FlagRow>(
    `SELECT ${FLAG} FROM feature_flags WHERE project_id = $projectId AND list_contains($ids::BIGINT[], id)`,
    { projectId, ids },
  );
  return new Map(rows.map((row) => [row.id, minimalFlagOf(toFlag(row))]));
}

/**
 * Lists the live flags of a project that depend on others, and those of `ids`: enough to follow any dependency. It
 * reads in the transaction of a write, so that two concurrent writes create no circle.
 */
export async function listFlagNodes(
  tx: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<Map<number, FlagNode>> {
  const rows = await tx.all<Omit<FlagNode, 'dependsOn'> & { dependsOn: string }>(
    `SELECT id, key, active, depends_on AS "dependsOn" FROM feature_flags
     WHERE project_id = $projectId AND NOT deleted
       AND (depends_on <> '[]' OR list_contains($ids::BIGINT[], id))`,
    { projectId, ids },
  );
  return new Map(rows.map((row) => [row.id, { ...row, dependsOn: JSON.parse(row.dependsOn) as number[] }]));
}

/** Which of some dashboards a project has. */
export async function listLiveDashboards(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db.all<{ id: number }>(
    `SELECT id FROM dashboards
     WHERE project_id = $projectId AND NOT deleted AND list_contains($ids::BIGINT[], id)`,
    { projectId, ids },
  );
  return new Set(rows.map(({ id }) => id));
}

/** When flags of a project were last called, of all or of some. */
export async function listLastCalls(
  db: Statements,
  projectId: number,
  ids: readonly number[] | null = null,
): Promise<Map<number, string>> {
  const rows = await db.all<{ id: number; at: string }>(
    `SELECT flag_id AS id, max(last_called_at) AS at FROM flag_calls
     WHERE project_id = $projectId ${ids === null ? '' : 'AND list_contains($ids::BIGINT[], flag_id)'}
     GROUP BY flag_id`,
    { projectId, ...(ids === null ? {} : { ids }) },
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Early access features of some flags, by the flag's id, as pages show them. */
export async function listFeaturesOfFlags(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<FlagLinks['features']> {
  const rows = await db.all<{ flagId: number; flagKey: string } & Record<string, string>>(
    `SELECT e.id, e.name, e.description, e.stage, e.documentation_url AS "documentationUrl",
       e.feature_flag_id AS "flagId", f.key AS "flagKey"
     FROM early_access_features e JOIN feature_flags f ON f.id = e.feature_flag_id
     WHERE e.project_id = $projectId AND list_contains($ids::BIGINT[], e.feature_flag_id)
     ORDER BY e.created_at, e.id`,
    { projectId, ids },
  );
  return byFlag(rows);
}

/** Surveys that have one of some flags, by the flag's id. */
export async function listSurveysOfFlags(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<FlagLinks['surveys']> {
  const linked = (column: string) =>
    `SELECT id, name, created_at, ${column} AS "flagId" FROM surveys
     WHERE project_id = $projectId AND list_contains($ids::BIGINT[], ${column})`;
  const rows = await db.all<{ flagId: number; id: string; name: string }>(
    `SELECT id, name, "flagId" FROM (${['linked_flag_id', 'targeting_flag_id', 'internal_targeting_flag_id']
      .map(linked)
      .join(' UNION ')}) ORDER BY created_at, id`,
    { projectId, ids },
  );
  return byFlag(rows);
}

function byFlag(
  rows: readonly ({ flagId: number } & Record<string, unknown>)[],
): Map<number, Record<string, unknown>[]> {
  const found = new Map<number, Record<string, unknown>[]>();
  for (const { flagId, ...rest } of rows) found.set(flagId, [...(found.get(flagId) ?? []), rest]);
  return found;
}

import type { Statements } from '../../db/db.ts';
import type { RetentionLimits } from '../../warehouse/duckdb/retention-plan.ts';

/** Limits as they were set. */
export interface StoredRetention extends RetentionLimits {
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export async function findRetention(db: Statements, projectId: number): Promise<StoredRetention | null> {
  return await db.first<StoredRetention>(
    `SELECT max_days AS "maxDays", max_gb AS "maxGb", updated_at AS "updatedAt"
     FROM project_retention WHERE project_id = $projectId`,
    { projectId },
  );
}

/** `now` in Unix milliseconds. */
export async function saveRetention(
  db: Statements,
  { projectId, limits, now }: { projectId: number; limits: RetentionLimits; now: number },
): Promise<void> {
  await db.run(
    `INSERT INTO project_retention VALUES ($projectId, $maxDays, $maxGb, epoch_ms($now))
     ON CONFLICT (project_id)
     DO UPDATE SET max_days = excluded.max_days, max_gb = excluded.max_gb, updated_at = excluded.updated_at`,
    { projectId, maxDays: limits.maxDays, maxGb: limits.maxGb, now },
  );
}

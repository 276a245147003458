import type { Statements } from '../../db/db.ts';
import type { PrivilegeLevel } from '../access/index.ts';

export interface Collaborator {
  readonly id: string;
  readonly dashboardId: number;
  readonly userId: number;
  readonly level: PrivilegeLevel;
  /** ISO 8601, UTC. */
  readonly addedAt: string;
  readonly updatedAt: string;
}

const COLLABORATOR = `id, dashboard_id AS "dashboardId", user_id AS "userId", level, added_at AS "addedAt",
  updated_at AS "updatedAt"`;

/** In order of being added. */
export function listCollaborators(statements: Statements, dashboardId: number): Promise<Collaborator[]> {
  return statements.all<Collaborator>(
    `SELECT ${COLLABORATOR} FROM dashboard_collaborators WHERE dashboard_id = $dashboardId ORDER BY added_at, id`,
    { dashboardId },
  );
}

/** `now` in Unix milliseconds. */
export async function insertCollaborator(
  tx: Statements,
  row: Pick<Collaborator, 'id' | 'dashboardId' | 'userId' | 'level'> & { now: number },
): Promise<Collaborator> {
  const made = await tx.first<Collaborator>(
    `INSERT INTO dashboard_collaborators (id, dashboard_id, user_id, level, added_at, updated_at)
     VALUES ($id, $dashboardId, $userId, $level, epoch_ms($now), epoch_ms($now)) RETURNING ${COLLABORATOR}`,
    row,
  );
  return made!;
}

export async function deleteCollaborator(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM dashboard_collaborators WHERE id = $id', { id });
}

/** Ends every collaboration of a person who leaves. */
export async function deleteCollaborationsOf(tx: Statements, userId: number): Promise<void> {
  await tx.run('DELETE FROM dashboard_collaborators WHERE user_id = $userId', { userId });
}

import type { Statements } from '../../db/db.ts';

export interface ProjectSecret {
  readonly projectId: number;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  readonly mask: string;
  /** Another has taken its place. */
  readonly isBackup: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

const SECRET = `project_id AS "projectId", hash, mask, is_backup AS "isBackup", created_at AS "createdAt"`;

export async function listSecrets(db: Statements): Promise<ProjectSecret[]> {
  return db.all<ProjectSecret>(`SELECT ${SECRET} FROM project_secrets`);
}

export async function listSecretsOf(db: Statements, projectId: number): Promise<ProjectSecret[]> {
  return db.all<ProjectSecret>(`SELECT ${SECRET} FROM project_secrets WHERE project_id = $projectId`, {
    projectId,
  });
}

/** Puts a secret in the place of the one in use, which becomes the one before it; `now` in Unix milliseconds. */
export async function rotateSecret(
  tx: Statements,
  secret: { projectId: number; hash: string; mask: string; now: number },
): Promise<void> {
  const { projectId } = secret;
  await deleteBackup(tx, projectId);
  await tx.run('UPDATE project_secrets SET is_backup = true WHERE project_id = $projectId', { projectId });
  await tx.run(
    `INSERT INTO project_secrets (project_id, hash, mask, is_backup, created_at)
     VALUES ($projectId, $hash, $mask, false, epoch_ms($now))`,
    secret,
  );
}

export async function deleteBackup(tx: Statements, projectId: number): Promise<void> {
  await tx.run('DELETE FROM project_secrets WHERE project_id = $projectId AND is_backup', { projectId });
}

export async function deleteSecrets(tx: Statements, projectId: number): Promise<void> {
  await tx.run('DELETE FROM project_secrets WHERE project_id = $projectId', { projectId });
}

import type { Statements } from '../../db/db.ts';
import type { AccessTarget } from '../access/index.ts';

const SAME_TARGET = `project_id = $projectId AND resource = $resource AND resource_id IS NOT DISTINCT FROM $resourceId
  AND member_id IS NOT DISTINCT FROM $memberId::UUID AND role_id IS NOT DISTINCT FROM $roleId::UUID`;

/**
 * Writes down which tool keeps the rule of a target, or with null that none does any more; `now` in Unix milliseconds.
 * Returns when, in ISO 8601, and which tool it was before.
 */
export async function setManagement(
  tx: Statements,
  { projectId, resource, resourceId, memberId, roleId }: AccessTarget,
  { managedBy, now }: { managedBy: string | null; now: number },
): Promise<{ before: string | null; managedAt: string | null }> {
  const target = { projectId, resource, resourceId, memberId, roleId };
  const before = await tx.first<{ managedBy: string }>(
    `DELETE FROM access_control_management WHERE ${SAME_TARGET} RETURNING managed_by AS "managedBy"`,
    target,
  );
  if (managedBy === null) return { before: before?.managedBy ?? null, managedAt: null };
  const after = await tx.first<{ managedAt: string }>(
    `INSERT INTO access_control_management
       (project_id, resource, resource_id, member_id, role_id, managed_by, managed_at)
     VALUES ($projectId, $resource, $resourceId, $memberId, $roleId, $managedBy, epoch_ms($now))
     RETURNING managed_at AS "managedAt"`,
    { ...target, managedBy, now },
  );
  return { before: before?.managedBy ?? null, managedAt: after!.managedAt };
}

/** Forgets which tool kept the rules that name a membership. */
export async function deleteManagementOfMember(tx: Statements, membershipId: string): Promise<void> {
  await tx.run('DELETE FROM access_control_management WHERE member_id = $membershipId', { membershipId });
}

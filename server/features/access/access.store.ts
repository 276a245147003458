import type { Statements } from '../../db/db.ts';
import type { AccessRule } from './access-levels.ts';

const RULE = `id, project_id AS "projectId", resource, resource_id AS "resourceId", member_id AS "memberId",
  role_id AS "roleId", access_level AS "accessLevel", created_at AS "createdAt", updated_at AS "updatedAt"`;

export function listAccessRules(db: Statements): Promise<AccessRule[]> {
  return db.all<AccessRule>(`SELECT ${RULE} FROM access_controls ORDER BY created_at, id`);
}

/** What a rule is about; a project has at most one rule for each. */
export type AccessTarget = Pick<AccessRule, 'projectId' | 'resource' | 'resourceId' | 'memberId' | 'roleId'>;

const SAME_TARGET = `project_id = $projectId AND resource = $resource AND resource_id IS NOT DISTINCT FROM $resourceId
  AND member_id IS NOT DISTINCT FROM $memberId::UUID AND role_id IS NOT DISTINCT FROM $roleId::UUID`;

export function findAccessRule(tx: Statements, target: AccessTarget): Promise<AccessRule | null> {
  return tx.first<AccessRule>(`SELECT ${RULE} FROM access_controls WHERE ${SAME_TARGET}`, targetOf(target));
}

/** `now` in Unix milliseconds. */
export async function insertAccessRule(
  tx: Statements,
  rule: AccessTarget & { id: string; accessLevel: string; now: number },
): Promise<AccessRule> {
  const row = await tx.first<AccessRule>(
    `INSERT INTO access_controls
       (id, project_id, resource, resource_id, member_id, role_id, access_level, created_at, updated_at)
     VALUES ($id, $projectId, $resource, $resourceId, $memberId, $roleId, $accessLevel, epoch_ms($now), epoch_ms($now))
     RETURNING ${RULE}`,
    { ...targetOf(rule), id: rule.id, accessLevel: rule.accessLevel, now: rule.now },
  );
  return row!;
}

/** `now` in Unix milliseconds. */
export async function updateAccessRule(
  tx: Statements,
  id: string,
  { accessLevel, now }: { accessLevel: string; now: number },
): Promise<AccessRule> {
  const row = await tx.first<AccessRule>(
    `UPDATE access_controls SET access_level = $accessLevel, updated_at = epoch_ms($now) WHERE id = $id
     RETURNING ${RULE}`,
    { id, accessLevel, now },
  );
  return row!;
}

/** The rule that was deleted, or null when there was none. */
export function deleteAccessRule(tx: Statements, target: AccessTarget): Promise<AccessRule | null> {
  return tx.first<AccessRule>(
    `DELETE FROM access_controls WHERE ${SAME_TARGET} RETURNING ${RULE}`,
    targetOf(target),
  );
}

/** Deletes every rule that names a membership. */
export async function deleteRulesOfMember(tx: Statements, membershipId: string): Promise<void> {
  await tx.run('DELETE FROM access_controls WHERE member_id = $membershipId', { membershipId });
}

/** The target alone: a statement takes no parameter that it does not name. */
function targetOf({ projectId, resource, resourceId, memberId, roleId }: AccessTarget) {
  return { projectId, resource, resourceId, memberId, roleId };
}

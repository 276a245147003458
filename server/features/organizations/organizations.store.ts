import type { Statements } from '../../db/db.ts';
import type { OrganizationLevel } from '../../http/define-route.ts';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

export interface Membership {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: number;
  readonly level: OrganizationLevel;
  /** ISO 8601, UTC. */
  readonly joinedAt: string;
  readonly updatedAt: string;
}

const ORGANIZATION = `id, name, slug, created_at AS "createdAt", updated_at AS "updatedAt"`;
const MEMBERSHIP = `id, organization_id AS "organizationId", user_id AS "userId", level, joined_at AS "joinedAt",
  updated_at AS "updatedAt"`;

export function listOrganizations(db: Statements): Promise<Organization[]> {
  return db.all<Organization>(`SELECT ${ORGANIZATION} FROM organizations ORDER BY created_at`);
}

export function listMemberships(db: Statements): Promise<Membership[]> {
  return db.all<Membership>(`SELECT ${MEMBERSHIP} FROM organization_members ORDER BY joined_at, id`);
}

/** `now` in Unix milliseconds. */
export async function insertOrganization(
  tx: Statements,
  organization: { id: string; name: string; slug: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO organizations (id, name, slug, created_at, updated_at)
     VALUES ($id, $name, $slug, epoch_ms($now), epoch_ms($now))`,
    organization,
  );
}

/** `now` in Unix milliseconds. */
export async function insertMembership(
  tx: Statements,
  member: Omit<Membership, 'joinedAt' | 'updatedAt'> & { now: number },
): Promise<Membership> {
  const row = await tx.first<Membership>(
    `INSERT INTO organization_members (id, organization_id, user_id, level, joined_at, updated_at)
     VALUES ($id, $organizationId, $userId, $level, epoch_ms($now), epoch_ms($now))
     RETURNING ${MEMBERSHIP}`,
    { ...member },
  );
  return row!;
}

/** `now` in Unix milliseconds; returns the membership as it is then. */
export async function setMemberLevel(
  tx: Statements,
  { id, level, now }: { id: string; level: OrganizationLevel; now: number },
): Promise<Membership> {
  const row = await tx.first<Membership>(
    `UPDATE organization_members SET level = $level, updated_at = epoch_ms($now) WHERE id = $id
     RETURNING ${MEMBERSHIP}`,
    { id, level, now },
  );
  return row!;
}

export async function deleteMembership(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM organization_members WHERE id = $id', { id });
}

/** The stored membership, or null; for use inside a transaction, where memory may be stale. */
export function findMembership(tx: Statements, id: string): Promise<Membership | null> {
  return tx.first<Membership>(`SELECT ${MEMBERSHIP} FROM organization_members WHERE id = $id`, { id });
}

export async function countOwners(tx: Statements, organizationId: string): Promise<number> {
  const row = await tx.first<{ owners: number }>(
    'SELECT count(*) AS owners FROM organization_members WHERE organization_id = $organizationId AND level = 15',
    { organizationId },
  );
  return row!.owners;
}

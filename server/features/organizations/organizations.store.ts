import type { Statements } from '../../db/db.ts';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** 1 member, 8 admin, 15 owner (management contract 2.9). */
export type MembershipLevel = 1 | 8 | 15;

export interface Membership {
  organizationId: string;
  userId: number;
  level: MembershipLevel;
}

const ORGANIZATION = `id, name, slug, created_at AS "createdAt", updated_at AS "updatedAt"`;

export function listOrganizations(db: Statements): Promise<Organization[]> {
  return db.all<Organization>(`SELECT ${ORGANIZATION} FROM organizations ORDER BY created_at`);
}

export function listMemberships(db: Statements): Promise<Membership[]> {
  return db.all<Membership>(
    'SELECT organization_id AS "organizationId", user_id AS "userId", level FROM organization_members ORDER BY joined_at',
  );
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
  member: Membership & { id: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO organization_members (id, organization_id, user_id, level, joined_at, updated_at)
     VALUES ($id, $organizationId, $userId, $level, epoch_ms($now), epoch_ms($now))`,
    { ...member },
  );
}

import type { Statements } from '../../db/db.ts';

export interface PersonalApiKey {
  readonly id: string;
  readonly userId: number;
  readonly label: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  readonly mask: string;
  readonly scopes: readonly string[];
  readonly scopedProjects: readonly number[];
  readonly scopedOrganizations: readonly string[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export type NewPersonalApiKey = Omit<PersonalApiKey, 'createdAt' | 'lastUsedAt'> & {
  /** Unix milliseconds. */
  now: number;
};

type KeyRow = Omit<PersonalApiKey, 'scopes' | 'scopedProjects' | 'scopedOrganizations'> & {
  scopes: string;
  scopedProjects: string;
  scopedOrganizations: string;
};

const KEY = `id, user_id AS "userId", label, hash, mask, scopes, scoped_projects AS "scopedProjects",
  scoped_organizations AS "scopedOrganizations", created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export async function listKeys(db: Statements): Promise<PersonalApiKey[]> {
  const rows = await db.all<KeyRow>(`SELECT ${KEY} FROM personal_api_keys ORDER BY created_at DESC, id DESC`);
  return rows.map(toKey);
}

export async function insertKey(tx: Statements, key: NewPersonalApiKey): Promise<PersonalApiKey> {
  const row = await tx.first<KeyRow>(
    `INSERT INTO personal_api_keys
       (id, user_id, label, hash, mask, scopes, scoped_projects, scoped_organizations, created_at)
     VALUES ($id, $userId, $label, $hash, $mask, $scopes, $scopedProjects, $scopedOrganizations, epoch_ms($now))
     RETURNING ${KEY}`,
    {
      ...key,
      scopes: JSON.stringify(key.scopes),
      scopedProjects: JSON.stringify(key.scopedProjects),
      scopedOrganizations: JSON.stringify(key.scopedOrganizations),
    },
  );
  return toKey(row!);
}

/** `now` in Unix milliseconds. */
export async function setLastUsed(db: Statements, id: string, now: number): Promise<void> {
  await db.run('UPDATE personal_api_keys SET last_used_at = epoch_ms($now) WHERE id = $id', { id, now });
}

/** Writes what can change of a key; null when it was deleted meanwhile. */
export async function saveKey(
  tx: Statements,
  { id, label, scopes, scopedProjects, scopedOrganizations }: PersonalApiKey,
): Promise<PersonalApiKey | null> {
  const row = await tx.first<KeyRow>(
    `UPDATE personal_api_keys SET label = $label, scopes = $scopes, scoped_projects = $scopedProjects,
       scoped_organizations = $scopedOrganizations WHERE id = $id RETURNING ${KEY}`,
    {
      id,
      label,
      scopes: JSON.stringify(scopes),
      scopedProjects: JSON.stringify(scopedProjects),
      scopedOrganizations: JSON.stringify(scopedOrganizations),
    },
  );
  return row === null ? null : toKey(row);
}

export async function deleteKey(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM personal_api_keys WHERE id = $id', { id });
}

export async function deleteKeysOf(tx: Statements, userId: number): Promise<void> {
  await tx.run('DELETE FROM personal_api_keys WHERE user_id = $userId', { userId });
}

function toKey(row: KeyRow): PersonalApiKey {
  return {
    ...row,
    scopes: JSON.parse(row.scopes) as string[],
    scopedProjects: JSON.parse(row.scopedProjects) as number[],
    scopedOrganizations: JSON.parse(row.scopedOrganizations) as string[],
  };
}

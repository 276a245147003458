import type { Statements } from '../../db/db.ts';

export type ShareKind = 'dashboard' | 'insight';

/** A link as it is stored; times are ISO 8601, UTC. */
export interface SharingConfiguration {
  readonly id: string;
  readonly projectId: number;
  readonly enabled: boolean;
  readonly accessToken: string;
  readonly tokenHash: string;
  /** Whether the link was ever on with this token. */
  readonly tokenUsed: boolean;
  readonly previousHash: string | null;
  readonly previousUntil: string | null;
  readonly expiresAt: string | null;
  /** JSON text of an object. */
  readonly settings: string | null;
  readonly createdAt: string;
  /** The user who turned it on, whose rules say what it shows. */
  readonly enabledBy: number | null;
}

const CONFIGURATION = `id, project_id AS "projectId", enabled, access_token AS "accessToken", token_hash AS "tokenHash",
  token_used AS "tokenUsed", previous_hash AS "previousHash", previous_until AS "previousUntil",
  expires_at AS "expiresAt", settings, created_at AS "createdAt", enabled_by AS "enabledBy"`;

const COLUMN = { dashboard: 'dashboard_id', insight: 'insight_id' } as const;

export function findConfiguration(
  statements: Statements,
  { kind, id }: { kind: ShareKind; id: number },
): Promise<SharingConfiguration | null> {
  return statements.first<SharingConfiguration>(
    `SELECT ${CONFIGURATION} FROM sharing_configurations WHERE ${COLUMN[kind]} = $id`,
    { id },
  );
}

/** A link that is off; `now` in Unix milliseconds. */
export async function insertConfiguration(
  tx: Statements,
  {
    kind,
    ...row
  }: {
    id: string;
    projectId: number;
    kind: ShareKind;
    objectId: number;
    accessToken: string;
    tokenHash: string;
    now: number;
  },
): Promise<SharingConfiguration> {
  const made = await tx.first<SharingConfiguration>(
    `INSERT INTO sharing_configurations
       (id, project_id, ${COLUMN[kind]}, enabled, access_token, token_hash, token_used, created_at)
     VALUES ($id, $projectId, $objectId, false, $accessToken, $tokenHash, false, epoch_ms($now))
     RETURNING ${CONFIGURATION}`,
    row,
  );
  return made!;
}

/** Writes all that can change of a link. */
export async function updateConfiguration(tx: Statements, row: SharingConfiguration): Promise<void> {
  const { id, enabled, accessToken, tokenHash, tokenUsed, previousHash, previousUntil } = row;
  const { expiresAt, settings, enabledBy } = row;
  await tx.run(
    `UPDATE sharing_configurations SET enabled = $enabled, access_token = $accessToken, token_hash = $tokenHash,
       token_used = $tokenUsed, previous_hash = $previousHash, previous_until = $previousUntil::TIMESTAMP,
       expires_at = $expiresAt::TIMESTAMP, settings = $settings, enabled_by = $enabledBy
     WHERE id = $id`,
    {
      id,
      enabled,
      accessToken,
      tokenHash,
      tokenUsed,
      previousHash,
      previousUntil,
      expiresAt,
      settings,
      enabledBy,
    },
  );
}

/** Ends every link for good; returns how many were on. */
export async function endAllSharing(tx: Statements): Promise<number> {
  const ended = await tx.all(
    `UPDATE sharing_configurations SET enabled = false, previous_hash = NULL, previous_until = NULL
     WHERE enabled RETURNING id`,
  );
  return ended.length;
}

import type { Statements } from '../../db/db.ts';
import type { MachineSharing, ShareSettings } from './sharing.contract.ts';

/** The name of the setting that ends all sharing of this machine. */
export const SHARING_OFF = 'sharing_off';

const IS_OFF = `EXISTS (SELECT 1 FROM server_settings WHERE name = '${SHARING_OFF}' AND value <> 'false')`;

/** Needs $now, Unix milliseconds. */
const IS_OPEN = `enabled AND (expires_at IS NULL OR expires_at > epoch_ms($now)) AND NOT ${IS_OFF}`;

/** What a link opens. One of the two ids is set. */
export interface Share {
  readonly projectId: number;
  readonly dashboardId: number | null;
  readonly insightId: number | null;
  /** JSON text of an object. */
  readonly settings: string | null;
  /** The user who turned the link on. */
  readonly enabledBy: number | null;
}

/**
 * Returns what the link with this token opens now, or null: off, expired, replaced for longer than the grace period,
 * or unknown.
 */
export function findOpenShare(statements: Statements, tokenHash: string, now: number): Promise<Share | null> {
  return statements.first<Share>(
    `SELECT project_id AS "projectId", dashboard_id AS "dashboardId", insight_id AS "insightId", settings,
       enabled_by AS "enabledBy"
     FROM sharing_configurations
     WHERE ${IS_OPEN}
       AND (token_hash = $tokenHash OR (previous_hash = $tokenHash AND previous_until > epoch_ms($now)))`,
    { tokenHash, now },
  );
}

/** How the page of a link looks, and what its viewers may do. */
export function settingsOf({ settings }: Pick<Share, 'settings'>): ShareSettings {
  return settings === null ? {} : (JSON.parse(settings) as ShareSettings);
}

export async function isSharingOff(statements: Statements): Promise<boolean> {
  const row = await statements.first<{ off: boolean }>(`SELECT ${IS_OFF} AS off`);
  return row!.off;
}

/** Every link of this machine that opens something now, oldest first. */
export function listOpenLinks(statements: Statements, now: number): Promise<MachineSharing['links']> {
  return statements.all<MachineSharing['links'][number]>(
    `SELECT CASE WHEN c.dashboard_id IS NULL THEN 'insight' ELSE 'dashboard' END AS kind,
       coalesce(d.id, i.id) AS id, c.project_id, p.name AS project_name,
       coalesce(d.name, i.name, i.derived_name) AS name, c.created_at, c.expires_at
     FROM (SELECT * FROM sharing_configurations WHERE ${IS_OPEN}) c
     JOIN projects p ON p.id = c.project_id
     LEFT JOIN dashboards d ON d.id = c.dashboard_id AND NOT d.deleted
     LEFT JOIN insights i ON i.id = c.insight_id AND NOT i.deleted
     WHERE d.id IS NOT NULL OR i.id IS NOT NULL
     ORDER BY c.created_at, c.id`,
    { now },
  );
}

import type { Statements } from '../../db/db.ts';
import type { ProjectRef } from '../../http/define-route.ts';

export interface Project extends ProjectRef {
  readonly uuid: string;
  readonly organizationId: string;
  readonly ingestedEvent: boolean;
  /** Its events are shown live and not kept. */
  readonly inspectOnly: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewProject {
  uuid: string;
  organizationId: string;
  name: string;
  apiToken: string;
  timezone: string;
  /** Unix milliseconds. */
  now: number;
}

const INSPECT_ONLY = `coalesce(json_extract(settings, '$.inspect_only')::BOOLEAN, false)`;
const PROJECT = `id, uuid, organization_id AS "organizationId", name, api_token AS "apiToken", timezone,
  ingested_event AS "ingestedEvent", ${INSPECT_ONLY} AS "inspectOnly",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export function listProjects(db: Statements): Promise<Project[]> {
  return db.all<Project>(`SELECT ${PROJECT} FROM projects ORDER BY id`);
}

/** Returns the project with the id that the database gave it. */
export async function insertProject(tx: Statements, project: NewProject): Promise<Project> {
  const row = await tx.first<Project>(
    `INSERT INTO projects (uuid, organization_id, name, api_token, timezone, created_at, updated_at)
     VALUES ($uuid, $organizationId, $name, $apiToken, $timezone, epoch_ms($now), epoch_ms($now))
     RETURNING ${PROJECT}`,
    { ...project },
  );
  return row!;
}

/** `now` in Unix milliseconds; returns the project as it is then. */
export async function setInspectOnly(
  db: Statements,
  { id, inspectOnly, now }: { id: number; inspectOnly: boolean; now: number },
): Promise<Project> {
  const row = await db.first<Project>(
    `UPDATE projects SET settings = json_merge_patch(settings, $settings), updated_at = epoch_ms($now) WHERE id = $id
     RETURNING ${PROJECT}`,
    { id, settings: JSON.stringify({ inspect_only: inspectOnly }), now },
  );
  return row!;
}

export async function setIngestedEvent(db: Statements, projectIds: readonly number[]): Promise<void> {
  await db.run('UPDATE projects SET ingested_event = true WHERE list_contains($projectIds, id)', {
    projectIds,
  });
}

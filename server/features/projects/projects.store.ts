import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Statements } from '../../db/db.ts';
import type { ProjectRef } from '../../http/define-route.ts';
import { jsonText } from '../../lib/json-text.ts';

/** What a project with demo data was created from. */
export interface DemoFacts {
  readonly kind: string;
  readonly size: string;
  readonly seed: number;
  /** Whether all of its events are stored. */
  readonly isComplete: boolean;
}

export interface Project extends ProjectRef {
  readonly uuid: string;
  readonly organizationId: string;
  readonly ingestedEvent: boolean;
  /** Its events are shown live and not kept. */
  readonly inspectOnly: boolean;
  /** Null: its events are those of a real product. */
  readonly demo: DemoFacts | null;
  /** What clients have set, by the names of the API; what is absent has its default. */
  readonly settings: Readonly<Record<string, unknown>>;
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
  settings: Readonly<Record<string, unknown>>;
  demo?: DemoFacts | null;
  /** Unix milliseconds. */
  now: number;
}

type ProjectRow = Omit<Project, 'settings' | 'demo'> & { settings: string; demo: string | null };

/** The column `settings` holds `{inspect_only, demo, api}`: what is the server's own stays apart from what clients name. */
const INSPECT_ONLY = `coalesce(json_extract(settings, '$.inspect_only')::BOOLEAN, false)`;
const DEMO = `json_extract(settings, '$.demo')::VARCHAR`;
const API_SETTINGS = `coalesce(json_extract(settings, '$.api')::VARCHAR, '{}')`;
const PROJECT = `id, uuid, organization_id AS "organizationId", name, api_token AS "apiToken", timezone,
  ingested_event AS "ingestedEvent", ${INSPECT_ONLY} AS "inspectOnly", ${DEMO} AS "demo", ${API_SETTINGS} AS "settings",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function listProjects(db: Statements): Promise<Project[]> {
  return (await db.all<ProjectRow>(`SELECT ${PROJECT} FROM projects ORDER BY id`)).map(toProject);
}

/** The stored project; for use inside a transaction, where memory may be stale. */
export async function findProject(tx: Statements, id: number): Promise<Project | null> {
  const row = await tx.first<ProjectRow>(`SELECT ${PROJECT} FROM projects WHERE id = $id`, { id });
  return row === null ? null : toProject(row);
}

export async function countProjects(tx: Statements, organizationId: string): Promise<number> {
  const row = await tx.first<{ projects: number }>(
    'SELECT count(*) AS projects FROM projects WHERE organization_id = $organizationId',
    { organizationId },
  );
  return row!.projects;
}

/** Returns the project with the id that the database gave it. */
export async function insertProject(
  tx: Statements,
  { demo = null, settings, ...project }: NewProject,
): Promise<Project> {
  const row = await tx.first<ProjectRow>(
    `INSERT INTO projects (uuid, organization_id, name, api_token, timezone, settings, created_at, updated_at)
     VALUES ($uuid, $organizationId, $name, $apiToken, $timezone, $settings, epoch_ms($now), epoch_ms($now))
     RETURNING ${PROJECT}`,
    { ...project, settings: settingsText({ inspectOnly: false, demo, settings }) },
  );
  return toProject(row!);
}

/** Writes what can change of a project, and returns it as it is stored then; `now` in Unix milliseconds. */
export async function saveProject(
  tx: Statements,
  { id, name, timezone, ...project }: Project,
  now: number,
): Promise<Project> {
  const row = await tx.first<ProjectRow>(
    `UPDATE projects SET name = $name, timezone = $timezone, settings = $settings, updated_at = epoch_ms($now)
     WHERE id = $id RETURNING ${PROJECT}`,
    { id, name, timezone, settings: settingsText(project), now },
  );
  return toProject(row!);
}

/** Gives a project another token; `now` in Unix milliseconds. */
export async function setToken(
  tx: Statements,
  { id, apiToken, now }: { id: number; apiToken: string; now: number },
): Promise<Project> {
  const row = await tx.first<ProjectRow>(
    `UPDATE projects SET api_token = $apiToken, updated_at = epoch_ms($now) WHERE id = $id RETURNING ${PROJECT}`,
    { id, apiToken, now },
  );
  return toProject(row!);
}

export async function deleteProject(tx: Statements, id: number): Promise<void> {
  await tx.run('DELETE FROM projects WHERE id = $id', { id });
}

export async function setIngestedEvent(tx: Statements, projectIds: readonly number[]): Promise<void> {
  await tx.run('UPDATE projects SET ingested_event = true WHERE list_contains($projectIds, id)', {
    projectIds,
  });
}

function settingsText({
  inspectOnly,
  demo,
  settings,
}: Pick<Project, 'inspectOnly' | 'demo' | 'settings'>): string {
  return jsonText({
    ...(inspectOnly ? { inspect_only: true } : {}),
    ...(demo === null ? {} : { demo }),
    api: settings,
  });
}

function toProject(row: ProjectRow): Project {
  return {
    ...row,
    demo: row.demo === null ? null : (JSON.parse(row.demo) as DemoFacts | null),
    settings: parseExactly(row.settings) as Record<string, unknown>,
  };
}

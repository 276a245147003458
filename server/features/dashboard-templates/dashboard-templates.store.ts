import type { Statements } from '../../db/db.ts';
import type { TemplateScope } from './dashboard-templates.contract.ts';

/** What can be written of a template; JSON where the database has text. */
export interface TemplateFields {
  readonly name: string;
  readonly description: string;
  /** JSON of an object. */
  readonly filters: string;
  /** JSON of lists, as tiles and variables. */
  readonly tags: string;
  readonly tiles: string;
  readonly variables: string | null;
  readonly deleted: boolean;
  readonly imageUrl: string | null;
  readonly scope: TemplateScope;
}

export interface TemplateRow extends TemplateFields {
  readonly id: string;
  readonly projectId: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly createdBy: number | null;
}

const TEMPLATE = `id, project_id AS "projectId", template_name AS name, dashboard_description AS description,
  dashboard_filters AS filters, tags, tiles, variables, deleted, created_at AS "createdAt", created_by AS "createdBy",
  image_url AS "imageUrl", scope`;

/** Global templates and those of flags belong to all projects. */
const IN_SIGHT = `(project_id = $projectId OR scope <> 'team')`;

/** Live templates that a project may use, those of its own first, the newest of each first. */
export function listTemplates(db: Statements, projectId: number): Promise<TemplateRow[]> {
  return db.all<TemplateRow>(
    `SELECT ${TEMPLATE} FROM dashboard_templates WHERE ${IN_SIGHT} AND NOT deleted
     ORDER BY project_id = $projectId DESC, created_at DESC, id DESC`,
    { projectId },
  );
}

/** The template that `listTemplates` would show first under a name. */
export function findTemplateByName(
  db: Statements,
  projectId: number,
  name: string,
): Promise<TemplateRow | null> {
  return db.first<TemplateRow>(
    `SELECT ${TEMPLATE} FROM dashboard_templates WHERE ${IN_SIGHT} AND NOT deleted AND template_name = $name
     ORDER BY project_id = $projectId DESC, created_at DESC, id DESC LIMIT 1`,
    { projectId, name },
  );
}

/** A template that a project may use, also a deleted one. */
export function findTemplateById(db: Statements, projectId: number, id: string): Promise<TemplateRow | null> {
  return db.first<TemplateRow>(
    `SELECT ${TEMPLATE} FROM dashboard_templates WHERE ${IN_SIGHT} AND id = $id::UUID`,
    { projectId, id },
  );
}

/** `now` in Unix milliseconds. */
export async function insertTemplate(
  tx: Statements,
  template: TemplateFields & { id: string; projectId: number; createdBy: number; now: number },
): Promise<TemplateRow> {
  const row = await tx.first<TemplateRow>(
    `INSERT INTO dashboard_templates
       (id, project_id, template_name, dashboard_description, dashboard_filters, tags, tiles, variables, deleted,
        created_at, created_by, image_url, scope)
     VALUES ($id, $projectId, $name, $description, $filters, $tags, $tiles, $variables, $deleted,
        epoch_ms($now), $createdBy, $imageUrl, $scope)
     RETURNING ${TEMPLATE}`,
    { ...template },
  );
  return row!;
}

export async function updateTemplate(
  tx: Statements,
  id: string,
  { name, description, filters, tags, tiles, variables, deleted, imageUrl, scope }: TemplateFields,
): Promise<TemplateRow> {
  const row = await tx.first<TemplateRow>(
    `UPDATE dashboard_templates SET template_name = $name, dashboard_description = $description,
       dashboard_filters = $filters, tags = $tags, tiles = $tiles, variables = $variables, deleted = $deleted,
       image_url = $imageUrl, scope = $scope
     WHERE id = $id::UUID RETURNING ${TEMPLATE}`,
    { id, name, description, filters, tags, tiles, variables, deleted, imageUrl, scope },
  );
  return row!;
}

import type { DashboardTemplateJson } from './dashboard-templates.contract.ts';
import type { TemplateRow } from './dashboard-templates.store.ts';

type Objects = Record<string, unknown>[];

export function templateJson(row: TemplateRow): DashboardTemplateJson {
  return {
    id: row.id,
    template_name: row.name,
    dashboard_description: row.description,
    dashboard_filters: JSON.parse(row.filters) as Record<string, unknown>,
    tags: JSON.parse(row.tags) as string[],
    tiles: JSON.parse(row.tiles) as Objects,
    variables: row.variables === null ? null : (JSON.parse(row.variables) as Objects),
    deleted: row.deleted,
    created_at: row.createdAt,
    created_by: row.createdBy,
    image_url: row.imageUrl,
    team_id: row.projectId,
    scope: row.scope,
  };
}

import type { TemplateFile } from '../../api/dashboards.api.ts';
import type { ShownDashboard, ShownTile } from './dashboard-draft.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A dashboard as a template (management contract 3.8): the file that `create_from_template_json` takes, here and at
 * PostHog. `storedQueries` are the insights' own questions, without the filters that the dashboard lays over them.
 */
export function templateOf(
  { name, description, filters, tiles, boxes }: ShownDashboard,
  { tags, storedQueries }: { tags: readonly string[]; storedQueries: ReadonlyMap<number, unknown> },
): TemplateFile {
  return {
    template_name: name.trim() || 'Dashboard',
    dashboard_description: description,
    dashboard_filters: { ...filters },
    tags: [...tags],
    variables: null,
    tiles: tiles.map((tile) => ({
      ...contentOf(tile, storedQueries),
      layouts: { sm: { ...boxes[tile.key]! } },
      color: tile.color,
    })),
  };
}

function contentOf({ text, insight }: ShownTile, storedQueries: ReadonlyMap<number, unknown>): Fields {
  if (!insight) return { type: 'TEXT', body: text ?? '' };
  return {
    type: 'INSIGHT',
    name: insight.name || insight.derived_name || '',
    description: insight.description,
    query: storedQueries.get(insight.id) ?? insight.query,
  };
}

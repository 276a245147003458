import type { Dashboard, DashboardTile, TemplateFile } from '../../api/dashboards.api.ts';
import type { ShownDashboard, ShownTile } from './dashboard-draft.ts';
import { withLook } from './tile-look.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A dashboard as a template (management contract 3.8): the file that `create_from_template_json` takes, here and at
 * PostHog, which passes over what it does not know. `storedQueries` are the insights' own questions, without the filters
 * that the dashboard lays over them.
 */
export function templateOf(
  { name, description, filters, variables, tiles, boxes }: ShownDashboard,
  { saved, storedQueries }: { saved: Dashboard; storedQueries: ReadonlyMap<number, unknown> },
): TemplateFile {
  const stored = new Map(saved.tiles.map((tile) => [tile.id, tile]));
  return {
    template_name: name.trim() || 'Dashboard',
    dashboard_description: description,
    dashboard_filters: { ...filters },
    dashboard_variables: { ...variables },
    tags: [...saved.tags],
    variables: null,
    tiles: tiles.map((tile) => {
      const before = tile.id === null ? undefined : stored.get(tile.id);
      return {
        ...contentOf(tile, storedQueries),
        layouts: { ...before?.layouts, sm: { ...(before?.layouts['sm'] as object), ...boxes[tile.key]! } },
        color: tile.color,
        ...saidOf(tile, before),
      };
    }),
  };
}

function contentOf({ text, insight, look }: ShownTile, storedQueries: ReadonlyMap<number, unknown>): Fields {
  if (!insight) return { type: 'TEXT', body: text ?? '' };
  return {
    type: 'INSIGHT',
    name: insight.name,
    description: insight.description,
    query: withLook(storedQueries.get(insight.id) ?? insight.query, look ?? {}),
  };
}

/** What is written only of tiles of which it was said. */
function saidOf({ isSection, showDescription }: ShownTile, before: DashboardTile | undefined): Fields {
  const isDescriptionSaid = showDescription || before?.show_description !== undefined;
  const isBackgroundSaid = isSection || before?.transparent_background !== undefined;
  return {
    ...(isDescriptionSaid ? { show_description: showDescription } : {}),
    ...(isBackgroundSaid ? { transparent_background: before?.transparent_background ?? isSection } : {}),
    ...(before?.filters_overrides === undefined ? {} : { filters_overrides: before.filters_overrides }),
  };
}

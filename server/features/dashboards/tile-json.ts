import type { InsightJson } from '../insights/index.ts';
import type { EmbeddedUser } from '../users/index.ts';
import type { TileJson } from './dashboards.contract.ts';
import type { TileRow } from './dashboards.reads.ts';
import { inOrder, type LayoutSize } from './tile-order.ts';

type Json = Record<string, unknown>;

/** A user as visible to the viewer. */
type PersonOf = (id: number | null) => EmbeddedUser | null;

/**
 * Tiles as answers show them, in the order of their layouts (management contract 3.6). One whose insight `insightOf`
 * does not know is left out: it was deleted.
 */
export function tilesJsonOf(
  rows: readonly TileRow[],
  options: {
    projectId: number;
    insightOf: (tile: TileRow) => InsightJson | null;
    personOf: PersonOf;
    layoutSize?: LayoutSize | undefined;
  },
): TileJson[] {
  const shown = rows.flatMap((row) => {
    const insight = row.insightId === null ? null : options.insightOf(row);
    if (row.insightId !== null && insight === null) return [];
    return [{ id: row.id, layouts: JSON.parse(row.layouts) as Json, row, insight }];
  });
  return inOrder(shown, options.layoutSize).map(({ id, layouts, row, insight }, order) => ({
    id,
    layouts,
    color: row.color,
    insight,
    text: textOf(row, options),
    order,
    last_refresh: insight?.last_refresh ?? null,
    is_cached: insight?.is_cached ?? false,
    ...saidOf(row),
  }));
}

function textOf(
  { textId, body, textCreatedBy, textModifiedBy, textModifiedAt }: TileRow,
  { projectId, personOf }: { projectId: number; personOf: PersonOf },
): TileJson['text'] {
  if (textId === null) return null;
  return {
    id: textId,
    body: body!,
    created_by: personOf(textCreatedBy),
    last_modified_at: textModifiedAt!,
    last_modified_by: personOf(textModifiedBy),
    team: projectId,
  };
}

/** What is shown only when it was ever said. */
function saidOf({ showDescription, filtersOverrides, transparentBackground }: TileRow) {
  return {
    ...(showDescription === null ? {} : { show_description: showDescription }),
    ...(filtersOverrides === null ? {} : { filters_overrides: JSON.parse(filtersOverrides) as Json }),
    ...(transparentBackground === null ? {} : { transparent_background: transparentBackground }),
  };
}

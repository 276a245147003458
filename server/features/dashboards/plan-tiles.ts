import { fail } from '../../errors.ts';
import { jsonText } from '../../lib/json-text.ts';
import { filtersText } from './dashboard-content.ts';
import type { TileChange } from './dashboards.contract.ts';
import type { StoredTile, TextBody } from './dashboards.store.ts';

/** A tile of the dashboard, with the body of its text. */
export type PlannedTile = StoredTile & { readonly body: string | null };

/** A tile to create, with its text. */
export type NewTile = Omit<StoredTile, 'id' | 'dashboardId' | 'textId' | 'deleted'> & {
  readonly body: string | null;
};

/** The changes requested by `tiles`. */
export interface TilePlan {
  readonly updated: PlannedTile[];
  readonly texts: TextBody[];
  readonly added: NewTile[];
}

/** Characters of a text. */
const MAX_TEXT = 4000;

/**
 * Applies changes of tiles in their order to the tiles of a dashboard, removed ones included; tiles that are not named
 * stay (management contract 3.6). `insightIdOf` finds the insight that the element at an index names, or throws.
 * Throws invalid_input, max_length, required.
 */
export function planTiles(
  existing: readonly PlannedTile[],
  changes: readonly TileChange[],
  insightIdOf: (index: number) => number,
): TilePlan {
  const tiles = new Map(existing.map((tile) => [tile.id, tile]));
  const touched = new Set<number>();
  const texts = new Map<number, string>();
  const added: NewTile[] = [];

  function update(tile: PlannedTile, change: TileChange, deleted: boolean): void {
    const body = bodyOf(tile, change);
    tiles.set(tile.id, { ...tile, ...placedOf(change, tile), deleted, body });
    touched.add(tile.id);
    if (body !== tile.body) texts.set(tile.textId!, body!);
  }

  function addInsight(insightId: number, change: TileChange): void {
    const known = [...tiles.values()].find((tile) => tile.insightId === insightId);
    const at = added.findIndex((tile) => tile.insightId === insightId);
    if (known !== undefined) update(known, { ...change, text: null }, false);
    else if (at >= 0) added[at] = { ...added[at]!, ...placedOf(change) };
    else added.push({ ...BARE_TILE, ...placedOf(change), insightId, body: null });
  }

  changes.forEach((change, index) => {
    const { id, text, insight, deleted } = change;
    if (id !== undefined && id !== null) {
      const tile = tiles.get(id);
      if (tile === undefined) throw refused(`Tile ${id} is not on this dashboard.`);
      return update(tile, change, deleted ?? tile.deleted);
    }
    const hasText = text !== undefined && text !== null;
    const hasInsight = insight !== undefined && insight !== null;
    if (hasText === hasInsight) throw refused('A new tile requires either a text or an insight.');
    // What is removed as it comes was never there.
    if (deleted) return;
    if (hasInsight) addInsight(insightIdOf(index), change);
    else added.push({ ...BARE_TILE, ...placedOf(change), insightId: null, body: checkBody(text!.body) });
  });
  return {
    updated: [...touched].map((id) => tiles.get(id)!),
    texts: [...texts].map(([id, body]) => ({ id, body })),
    added,
  };
}

/** A tile of which nothing was said. */
export const BARE_TILE = {
  layouts: '{}',
  color: null,
  showDescription: null,
  filtersOverrides: null,
  transparentBackground: null,
} as const;

type Placed = Partial<
  Pick<StoredTile, 'layouts' | 'color' | 'showDescription' | 'filtersOverrides' | 'transparentBackground'>
>;

/** The columns that a change sets. Throws invalid_input for unreadable filters. */
function placedOf(change: TileChange, { filtersOverrides: old }: Placed = {}): Placed {
  const { color, layouts, show_description, filters_overrides, transparent_background } = change;
  return {
    ...(color === undefined ? {} : { color }),
    ...(layouts === undefined ? {} : { layouts: jsonText(layouts ?? {}) }),
    ...(show_description === undefined ? {} : { showDescription: show_description }),
    ...(filters_overrides === undefined
      ? {}
      : {
          filtersOverrides:
            filters_overrides === null
              ? null
              : filtersText(filters_overrides, 'filters_overrides', old ?? null),
        }),
    ...(transparent_background === undefined ? {} : { transparentBackground: transparent_background }),
  };
}

/** The text of a tile after a change. */
function bodyOf(tile: PlannedTile, { text }: TileChange): string | null {
  if (text === undefined || text === null) return tile.body;
  if (tile.textId === null) throw refused(`Tile ${tile.id} shows an insight and has no text.`);
  if (text.id !== undefined && text.id !== null && text.id !== tile.textId)
    throw refused(`Tile ${tile.id} has another text.`);
  return text.body === undefined ? tile.body : checkBody(text.body);
}

function checkBody(body: string | undefined): string {
  if (body === undefined) throw fail('required', { attr: 'text', detail: 'A text requires a body.' });
  if (body.length <= MAX_TEXT) return body;
  throw fail('max_length', { attr: 'text', detail: `A text can have up to ${MAX_TEXT} characters.` });
}

function refused(detail: string): Error {
  return fail('invalid_input', { attr: 'tiles', detail });
}

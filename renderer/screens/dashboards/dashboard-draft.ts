import type { BodyOf } from '../../api/client.ts';
import type {
  DashboardJson as Dashboard,
  TileJson as DashboardTile,
} from '../../../server/features/dashboards/dashboards.contract.ts';
import type { BasicInsightJson as Insight } from '../../../server/features/insights/insights.contract.ts';
import type { TileCopy } from '../../../server/features/dashboards/dashboards.contract.ts';
import { spanOf } from '../../insights/query-dates.ts';
import type { DateSpan } from '../../ui/dates/date-ranges.ts';
import { placeBoxes, type Box, type Boxes } from '../../ui/tile-boxes.ts';

import { withLook, type TileLook } from './tile-look.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An insight on a tile: its query under the dashboard's filters, and who may change it. */
export type TileInsight = Pick<Insight, 'id' | 'short_id' | 'name' | 'description' | 'query' | 'warnings'> & {
  derived_name?: string | null;
};

/** What was changed of a tile that is stored. */
export interface TileEdit {
  color?: string | null;
  body?: string;
  showDescription?: boolean;
  /** Of its insight, on every dashboard. */
  look?: TileLook;
  isRemoved?: true;
}

/** A tile that is not stored yet: a text, an insight, or a copy of a stored tile with an insight. */
export interface NewTile {
  key: string;
  color: string | null;
  text?: string;
  /** A heading over the tiles below it, without a card. */
  isSection?: boolean;
  insight?: TileInsight;
  look?: TileLook;
  showDescription?: boolean;
  /** The id of the stored tile, whose insight is copied too. */
  copyOf?: number;
}

/** The differences from the stored dashboard. Never changed in place: each is a step that can be undone. */
export interface DashboardEdits {
  name?: string;
  description?: string;
  filters?: Fields;
  variables?: Fields;
  boxes: Boxes;
  tiles: Readonly<Record<string, TileEdit>>;
  added: readonly NewTile[];
}

export const NO_EDITS: DashboardEdits = { boxes: {}, tiles: {}, added: [] };

/** A shown tile, stored or not. */
export interface ShownTile {
  /** `31`, or `new-1`. */
  key: string;
  /** Of the stored tile; null for a new one. */
  id: number | null;
  color: string | null;
  text: string | null;
  isSection: boolean;
  /** Under the look that is not stored yet. */
  insight: TileInsight | null;
  /** Null for a copy, which has no insight of its own until it is stored. */
  look: TileLook | null;
  showDescription: boolean;
  /** Its own date range, which dates of the dashboard do not override. */
  ownDates: DateSpan | null;
}

/** The shown dashboard: the stored one with the changes. */
export interface ShownDashboard {
  name: string;
  description: string;
  filters: Fields;
  variables: Fields;
  tiles: readonly ShownTile[];
  boxes: Boxes;
}

/** What is stored, with what was changed. */
export function shownOf(saved: Dashboard, edits: DashboardEdits): ShownDashboard {
  const stored = saved.tiles
    .filter(({ id }) => !edits.tiles[id]?.isRemoved)
    .map((tile) => shownTile(tile, edits.tiles[tile.id]));
  const added = edits.added.map((tile) => shownNew(tile, saved));
  const tiles = [...stored, ...added];
  const layouts = new Map(saved.tiles.map(({ id, layouts: its }) => [String(id), its['sm']]));
  const boxes = placeBoxes(tiles.map(({ key }) => edits.boxes[key] ?? layouts.get(key)));
  return {
    name: edits.name ?? saved.name,
    description: edits.description ?? saved.description,
    filters: edits.filters ?? saved.filters,
    variables: edits.variables ?? saved.variables,
    tiles,
    boxes: Object.fromEntries(tiles.map(({ key }, at) => [key, boxes[at]!])),
  };
}

function shownTile(tile: DashboardTile, edit: TileEdit = {}): ShownTile {
  const { id, color, text, insight } = tile;
  return {
    key: String(id),
    id,
    color: edit.color === undefined ? color : edit.color,
    text: text ? (edit.body ?? text.body) : null,
    isSection: text !== null && tile.transparent_background === true,
    insight: lookedAt(insight as TileInsight | null, edit.look),
    look: edit.look ?? {},
    showDescription: edit.showDescription ?? tile.show_description ?? false,
    ownDates: spanOf(tile.filters_overrides),
  };
}

function shownNew(tile: NewTile, saved: Dashboard): ShownTile {
  const { key, color, text, isSection, insight, look = {}, showDescription = false, copyOf } = tile;
  const original = saved.tiles.find(({ id }) => id === copyOf);
  return {
    key,
    id: null,
    color,
    text: text ?? null,
    isSection: isSection ?? false,
    insight: lookedAt(insight ?? (original?.insight as TileInsight | null | undefined) ?? null, look),
    look: copyOf === undefined ? look : null,
    showDescription,
    ownDates: spanOf(original?.filters_overrides),
  };
}

function lookedAt(insight: TileInsight | null, look: TileLook = {}): TileInsight | null {
  return insight && { ...insight, query: withLook(insight.query, look) };
}

/** What of a dashboard is stored when these edits are: nothing when there is nothing to store. */
export function changeOf(saved: Dashboard, edits: DashboardEdits): BodyOf<'PATCH P/dashboards/:id/'> | null {
  const { boxes } = shownOf(saved, edits);
  const tiles = [
    ...saved.tiles.flatMap((tile) => storedChange(tile, edits.tiles[tile.id], boxes[tile.id])),
    ...edits.added.flatMap((tile) => addedChange(tile, boxes[tile.key]!)),
  ];
  const copies = edits.added.flatMap((tile) => copyChange(tile, boxes[tile.key]!));
  const change: BodyOf<'PATCH P/dashboards/:id/'> = {
    ...(isOther(edits.name, saved.name) ? { name: edits.name! } : {}),
    ...(isOther(edits.description, saved.description) ? { description: edits.description! } : {}),
    ...(isOther(edits.filters, saved.filters) ? { filters: edits.filters! } : {}),
    ...(isOther(edits.variables, saved.variables) ? { variables: edits.variables! } : {}),
    ...(tiles.length > 0 ? { tiles } : {}),
    ...(copies.length > 0 ? { duplicate_tiles: copies } : {}),
  };
  return Object.keys(change).length > 0 ? change : null;
}

function storedChange(tile: DashboardTile, edit: TileEdit = {}, box: Box | undefined): Fields[] {
  const { id, layouts, color, text } = tile;
  if (edit.isRemoved) return [{ id, deleted: true }];
  const change = {
    ...(box && isMoved(layouts['sm'], box)
      ? { layouts: { ...layouts, ...layoutsOf(box, layouts['sm']) } }
      : {}),
    ...(isOther(edit.color, color) ? { color: edit.color } : {}),
    ...(isOther(edit.body, text?.body) ? { text: { body: edit.body } } : {}),
    ...(isOther(edit.showDescription, tile.show_description ?? false)
      ? { show_description: edit.showDescription }
      : {}),
  };
  return Object.keys(change).length > 0 ? [{ id, ...change }] : [];
}

function addedChange(
  { text, isSection, insight, color, showDescription, copyOf }: NewTile,
  box: Box,
): Fields[] {
  if (copyOf !== undefined) return [];
  const placed = { layouts: layoutsOf(box), color };
  if (insight)
    return [{ insight: insight.id, ...placed, ...(showDescription ? { show_description: true } : {}) }];
  return [{ text: { body: text }, ...placed, ...(isSection ? { transparent_background: true } : {}) }];
}

function copyChange({ color, showDescription = false, copyOf }: NewTile, box: Box): TileCopy[] {
  if (copyOf === undefined) return [];
  return [{ id: copyOf, layouts: layoutsOf(box), color, show_description: showDescription }];
}

/** What a layout of the server says besides the place is kept. */
function layoutsOf(box: Box, before: unknown = {}): { sm: Fields } {
  return { sm: { ...(before as Fields), ...box } };
}

function isMoved(layout: unknown, box: Box): boolean {
  const { x, y, w, h } = (layout ?? {}) as Partial<Box>;
  return x !== box.x || y !== box.y || w !== box.w || h !== box.h;
}

function isOther(edited: unknown, stored: unknown): boolean {
  return edited !== undefined && JSON.stringify(edited) !== JSON.stringify(stored);
}

/** Whether an insight is on the dashboard already, where it can be only once. */
export function holdsInsight(tiles: readonly ShownTile[], insightId: number): boolean {
  return tiles.some(({ insight }) => insight?.id === insightId);
}

/** The looks that are not stored yet, by the id of their insight. */
export function looksOf(saved: Dashboard, { tiles, added }: DashboardEdits): ReadonlyMap<number, TileLook> {
  const changed = saved.tiles.flatMap(({ id, insight }) => {
    const { look, isRemoved } = tiles[id] ?? {};
    return look && insight && !isRemoved ? [[insight.id, look] as const] : [];
  });
  const ofAdded = added.flatMap(({ insight, look }) =>
    insight && look ? [[insight.id, look] as const] : [],
  );
  return new Map<number, TileLook>([...changed, ...ofAdded]);
}

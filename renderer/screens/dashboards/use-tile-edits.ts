import { computed, ref } from 'vue';
import {
  boxBelow,
  boxBeside,
  isSame,
  lineUp,
  stepped,
  withBox,
  type Box,
  type Boxes,
} from '../../ui/tile-boxes.ts';
import type { NewTile, ShownTile, TileEdit, TileInsight } from './dashboard-draft.ts';
import { leastRows, nameOfTile, placeLabel } from './tile-labels.ts';
import type { useDashboardDraft } from './use-dashboard-draft.ts';

type Draft = ReturnType<typeof useDashboardDraft>;

const TEXT_SIZE = { w: 4, h: 4 };
const SECTION_SIZE = { w: 12, h: leastRows({ isSection: true }) };
const CHART_SIZE = { w: 6, h: 5 };
const NUMBER_SIZE = { w: 3, h: 2 };

/** All edits of the tiles of a draft, each an undoable step with a label. */
export function useTileEdits(draft: Draft) {
  /** What was done last, for those who are read to. */
  const said = ref('');
  const tiles = computed(() => draft.shown.value?.tiles ?? []);
  const boxes = computed<Boxes>(() => draft.shown.value?.boxes ?? {});

  function tileOf(key: string): ShownTile | undefined {
    return tiles.value.find((one) => one.key === key);
  }

  function nameOf(key: string): string {
    const tile = tileOf(key);
    return tile ? nameOfTile(tile) : 'Tile';
  }

  /** Takes over where all tiles stand after one was moved. */
  function place(next: Boxes, key: string | null, merge: string | null = null): void {
    const name = key === null ? 'tiles' : nameOf(key);
    draft.edit(`move ${name}`, { boxes: next }, merge);
    if (key !== null && next[key]) said.value = `${name}: ${placeLabel(next[key])}`;
  }

  /** Moves a tile a step, or makes it larger or smaller by one. */
  function step(key: string, by: { x: number; y: number }, isSize: boolean, merge: string): void {
    const box = boxes.value[key];
    if (!box) return;
    const least = leastRows(tileOf(key));
    const grown = { ...box, w: box.w + by.x, h: Math.max(least, box.h + by.y) };
    const fits = grown.x + grown.w <= 12;
    const next = !isSize
      ? stepped(boxes.value, key, by)
      : fits
        ? withBox(boxes.value, key, grown)
        : boxes.value;
    if (isSame(next, boxes.value)) said.value = `${nameOf(key)} cannot be moved further`;
    else place(next, key, merge);
  }

  function change(key: string, label: string, edit: TileEdit, merge: string | null = null): void {
    const { tiles: stored, added } = draft.edits.value;
    const tile = tileOf(key);
    if (!tile) return;
    if (tile.id !== null) {
      draft.edit(label, { tiles: { ...stored, [tile.id]: { ...stored[tile.id], ...edit } } }, merge);
      return;
    }
    const next = added.map((one) => (one.key === key ? editedNew(one, edit) : one));
    draft.edit(label, { added: next }, merge);
  }

  function remove(key: string): void {
    const tile = tileOf(key);
    if (!tile) return;
    const { tiles: stored, added } = draft.edits.value;
    const label = `remove ${nameOfTile(tile)}`;
    const { [key]: _, ...others } = boxes.value;
    if (tile.id === null) draft.edit(label, { added: added.filter((one) => one.key !== key), boxes: others });
    else draft.edit(label, { tiles: { ...stored, [tile.id]: { isRemoved: true } }, boxes: others });
    said.value = `${nameOfTile(tile)} removed`;
  }

  /** Puts a new tile somewhere; returns its key. */
  function put(label: string, tile: Omit<NewTile, 'key'>, box: Box): string {
    const key = draft.newKey();
    const placed = withBox({ ...boxes.value, [key]: box }, key, box);
    draft.edit(label, { added: [...draft.edits.value.added, { key, ...tile }], boxes: placed });
    said.value = `${label}: ${placeLabel(placed[key]!)}`;
    return key;
  }

  /** A copy next to its original, as that is seen; of an insight, with an insight of its own once it is saved. */
  function duplicate(key: string): string | null {
    const tile = tileOf(key);
    const box = boxes.value[key];
    if (!tile || !box) return null;
    const label = `duplicate ${nameOfTile(tile)}`;
    const { color, text, isSection, showDescription } = tile;
    if (!tile.insight) return put(label, { color, text: text ?? '', isSection }, boxBeside(box));
    const copyOf = tile.id ?? draft.edits.value.added.find((one) => one.key === key)?.copyOf;
    return copyOf === undefined ? null : put(label, { color, showDescription, copyOf }, boxBeside(box));
  }

  function addText(): string {
    const body = '### A heading\n\nWhat these numbers mean, in **Markdown**.';
    return put('add text', { color: null, text: body }, boxBelow(boxes.value, TEXT_SIZE));
  }

  function addSection(): string {
    const content = { color: null, text: '## Section', isSection: true };
    return put('add section', content, boxBelow(boxes.value, SECTION_SIZE));
  }

  function addInsight(insight: TileInsight, isNumber = false): string {
    const size = isNumber ? NUMBER_SIZE : CHART_SIZE;
    const name = insight.name || insight.derived_name || 'an insight';
    return put(`add ${name}`, { color: null, insight }, boxBelow(boxes.value, size));
  }

  function lineAllUp(): void {
    draft.edit('compact the layout', { boxes: lineUp(boxes.value) });
    said.value = 'Layout compacted';
  }

  return {
    said,
    tileOf,
    nameOf,
    place,
    step,
    change,
    remove,
    duplicate,
    addText,
    addSection,
    addInsight,
    lineAllUp,
  };
}

function editedNew(tile: NewTile, { color, body, showDescription, look }: TileEdit): NewTile {
  return {
    ...tile,
    ...(color === undefined ? {} : { color }),
    ...(body === undefined ? {} : { text: body }),
    ...(showDescription === undefined ? {} : { showDescription }),
    ...(look === undefined ? {} : { look }),
  };
}

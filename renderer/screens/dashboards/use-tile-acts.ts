import { computed, ref, shallowRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { toast } from 'vue-sonner';
import { dropQueryParam } from './drop-query-param.ts';
import { sqlOf } from '../../insights/hogql/sql-node.ts';
import type { DateSpan } from '../../ui/dates/date-ranges.ts';
import type { ShownTile, TileInsight } from './dashboard-draft.ts';
import type { NewInsightKind } from './new-insights.ts';
import type { TileAction } from './tile-actions.ts';
import { nameOfTile } from './tile-labels.ts';
import { saveCsv, type useDashboardActions } from './use-dashboard-actions.ts';
import type { useDashboardPage } from './use-dashboard-page.ts';
import type { useEditing } from './use-editing.ts';
import type { useTileEdits } from './use-tile-edits.ts';

interface TileActs {
  page: ReturnType<typeof useDashboardPage>;
  edits: ReturnType<typeof useTileEdits>;
  editing: ReturnType<typeof useEditing>;
  actions: ReturnType<typeof useDashboardActions>;
  /** Puts the focus on a tile. */
  focus(key: string): Promise<void>;
  /** What a tile looks like on the page. */
  elementOf(key: string): HTMLElement | null;
}

/** Frames in which a new tile comes to its place: about a second. */
const MOST_FRAMES = 60;

/** What the menu of a tile does, and what brings a tile: the draft is changed, or a tile is looked at more closely. */
export function useTileActs(
  projectId: number,
  { page, edits, editing, actions, focus, elementOf }: TileActs,
) {
  const route = useRoute();
  const router = useRouter();
  const { answers, tiles } = page;
  /** The tile that has just been added, until the next act. */
  const newKey = ref<string | null>(null);
  /** The tile whose date range is chosen. */
  const dated = shallowRef<ShownTile | null>(null);
  /** The tile whose HogQL is shown. */
  const asked = shallowRef<ShownTile | null>(null);
  const carried = shallowRef<{ tile: ShownTile; isMove: boolean } | null>(null);

  const isCarrying = computed({
    get: () => carried.value !== null,
    set: (open) => open || (carried.value = null),
  });
  /** The full-screen tile is in the URL: Back closes it. */
  const fullTile = computed({
    get: () => tiles.value.find(({ key }) => key === route.query['tile']) ?? null,
    set: (tile) => {
      const query = { ...route.query, tile: tile?.key };
      if (tile) void router.push({ query });
      else dropQueryParam(router, query);
    },
  });

  function act(tile: ShownTile, action: TileAction): void {
    newKey.value = null;
    if (action === 'dates') dated.value = tile;
    else if (action === 'move' || action === 'copy') carried.value = { tile, isMove: action === 'move' };
    else if (action === 'settings' || action === 'duplicate' || action === 'remove') {
      if (editing.begin()) change(tile.key, action);
    } else if (tile.insight) look(tile, tile.insight, action);
  }

  function look(
    tile: ShownTile,
    insight: TileInsight,
    action: 'full' | 'csv' | 'png' | 'refresh' | 'open' | 'hogql',
  ): void {
    const answer = answers.answers.get(insight.id);
    if (action === 'full') fullTile.value = tile;
    else if (action === 'hogql') asked.value = tile;
    else if (action === 'refresh') void page.askOne(insight, 'force_blocking');
    else if (action === 'png') void actions.savePicture(nameOfTile(tile), elementOf(tile.key));
    else if (action === 'open')
      void router.push({
        name: sqlOf(insight.query) ? 'sql' : 'insight',
        params: { projectId, insightId: insight.short_id },
      });
    else if (answer) saveCsv(tile, answer);
  }

  function change(key: string, action: 'settings' | 'duplicate' | 'remove'): void {
    if (action === 'settings') editing.settingsKey.value = key;
    else if (action === 'duplicate') showNew(edits.duplicate(key));
    else {
      edits.remove(key);
      toast('Tile removed', { action: { label: 'Undo', onClick: editing.undo } });
    }
  }

  /** Picks a tile that has just come. */
  function show(key: string | null): void {
    if (key === null) return;
    editing.pickedKey.value = key;
    void focus(key);
  }

  /** Picks a tile that has just come, outlines it as new and offers to take it back. */
  function showNew(key: string | null): void {
    if (key === null) return;
    show(key);
    newKey.value = key;
    void scrollTo(key);
    toast(`Added “${edits.nameOf(key)}”`, {
      action: {
        label: 'Undo',
        onClick: () => {
          if (edits.tileOf(key)?.id === null) edits.remove(key);
        },
      },
    });
  }

  /** Keeps a tile in sight while it comes to its place, which the grid animates, unless the user scrolls meanwhile. */
  async function scrollTo(key: string): Promise<void> {
    const user = new AbortController();
    for (const event of ['wheel', 'pointerdown', 'keydown'])
      window.addEventListener(event, () => user.abort(), { signal: user.signal });
    for (let frame = 0; frame < MOST_FRAMES && !user.signal.aborted; frame += 1) {
      await new Promise(requestAnimationFrame);
      elementOf(key)?.scrollIntoView({ block: 'nearest' });
    }
    user.abort();
  }

  /** Shows the tile of an insight that was added elsewhere: the link of that has its ID. */
  function showAdded(): void {
    const tile = tiles.value.find(({ insight }) => String(insight?.id) === route.query['added']);
    if (!tile) return;
    newKey.value = tile.key;
    void scrollTo(tile.key);
    dropQueryParam(router, { ...route.query, added: undefined });
  }

  async function setDates(span: DateSpan | null): Promise<void> {
    const { value: tile } = dated;
    dated.value = null;
    if (tile && (await actions.setDates(tile, span))) page.askStored();
  }

  async function addNew(kind: NewInsightKind): Promise<void> {
    const insight = await actions.makeInsight(kind);
    if (!insight) return;
    const key = edits.addInsight(insight, kind.isNumber);
    showNew(key);
    // The query is written in the settings of the tile.
    if (kind.id === 'sql') editing.settingsKey.value = key;
  }

  /** A text begins with its settings open, where it is written. */
  function addText(key: string): void {
    showNew(key);
    editing.settingsKey.value = key;
  }

  function carry(to: { id: number; name: string }): void {
    const { tile, isMove } = carried.value!;
    void (isMove ? actions.move(tile, to) : actions.copy(tile, to));
  }

  return {
    asked,
    carried,
    isCarrying,
    fullTile,
    newKey,
    dated,
    act,
    rename: actions.rename,
    setDates,
    showNew,
    showAdded,
    addNew,
    addText,
    carry,
  };
}

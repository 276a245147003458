import { beforeEach, describe, expect, test } from 'vitest';
import type { DashboardJson as Dashboard } from '../../../server/features/dashboards/dashboards.contract.ts';
import { useDashboardDraft } from './use-dashboard-draft.ts';
import { useTileEdits } from './use-tile-edits.ts';

const at = (x: number, y: number) => ({ sm: { x, y, w: 6, h: 5 } });
const bare = { color: null, insight: null, text: null, order: 0, last_refresh: null, is_cached: false };
const DASHBOARD = {
  name: 'Weekly',
  description: '',
  filters: {},
  variables: {},
  tiles: [
    { ...bare, id: 1, layouts: at(0, 0), text: { body: '# One' }, transparent_background: true },
    { ...bare, id: 2, layouts: at(6, 0), color: 'blue', insight: { id: 12, name: 'Signups', query: {} } },
  ],
} as unknown as Dashboard;

let draft: ReturnType<typeof useDashboardDraft>;
let edits: ReturnType<typeof useTileEdits>;

beforeEach(() => {
  draft = useDashboardDraft(1, 1);
  draft.take(DASHBOARD);
  edits = useTileEdits(draft);
});

describe('a copy that is not stored yet', () => {
  test('of an insight keeps its edits, on the page and in the stored change', () => {
    const key = edits.duplicate('2')!;
    edits.change(key, 'colour', { color: 'green' });
    edits.change(key, 'describe', { showDescription: true });
    expect(edits.tileOf(key)).toMatchObject({ color: 'green', showDescription: true });
    expect(draft.change.value).toMatchObject({
      duplicate_tiles: [{ id: 2, color: 'green', show_description: true }],
    });
    expect(edits.tileOf('2')).toMatchObject({ color: 'blue', showDescription: false });
  });

  test('of a text tile keeps its edited text', () => {
    const key = edits.duplicate('1')!;
    edits.change(key, 'write', { body: '# Two' });
    expect(edits.tileOf(key)).toMatchObject({ text: '# Two', isSection: true });
    expect(draft.change.value!.tiles).toContainEqual(
      expect.objectContaining({ text: { body: '# Two' }, transparent_background: true }),
    );
    expect(edits.tileOf('1')?.text).toBe('# One');
  });

  test('starts with the displayed state of its original, not the stored one', () => {
    edits.change('2', 'colour', { color: 'purple', showDescription: true });
    edits.change('1', 'write', { body: '# Changed' });
    expect(edits.tileOf(edits.duplicate('2')!)).toMatchObject({ color: 'purple', showDescription: true });
    expect(edits.tileOf(edits.duplicate('1')!)).toMatchObject({ text: '# Changed' });
    expect(draft.change.value?.duplicate_tiles).toMatchObject([
      { id: 2, color: 'purple', show_description: true },
    ]);
  });

  test('can be copied again', () => {
    const first = edits.duplicate('2')!;
    edits.change(first, 'colour', { color: 'black' });
    const second = edits.duplicate(first)!;
    expect(edits.tileOf(second)).toMatchObject({ color: 'black', insight: { id: 12 } });
    expect(draft.change.value?.duplicate_tiles).toHaveLength(2);
  });
});

test('a new insight tile is stored with its description shown, when requested', () => {
  const key = edits.addInsight({ id: 40, short_id: 'x', name: 'Sales', description: 'Of all', query: null });
  edits.change(key, 'describe', { showDescription: true });
  expect(edits.tileOf(key)?.showDescription).toBe(true);
  expect(draft.change.value?.tiles).toMatchObject([{ insight: 40, show_description: true }]);
});

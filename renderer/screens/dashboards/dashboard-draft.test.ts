import { describe, expect, test } from 'vitest';
import type {
  DashboardJson as Dashboard,
  TileJson as DashboardTile,
} from '../../../server/features/dashboards/dashboards.contract.ts';
import { changeOf, NO_EDITS, shownOf, type DashboardEdits } from './dashboard-draft.ts';

type Stored = Partial<DashboardTile> & { id: number };

const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });

function dashboardWith(tiles: readonly Stored[]): Dashboard {
  const bare = { layouts: {}, color: null, insight: null, text: null, order: 0, last_refresh: null };
  return {
    name: 'Weekly',
    description: '',
    filters: { date_from: '-7d' },
    variables: {},
    tiles: tiles.map((tile) => ({ ...bare, is_cached: false, ...tile })),
  } as unknown as Dashboard;
}

const textOf = (body: string) => ({ body }) as DashboardTile['text'];
const insightOf = (id: number, name: string) =>
  ({ id, name, query: {} }) as unknown as DashboardTile['insight'];

const saved = dashboardWith([
  { id: 1, layouts: at(0, 0, 6, 5), text: textOf('# One') },
  { id: 2, layouts: at(6, 0, 6, 5), insight: insightOf(12, 'Signups') },
]);
const withEdits = (edits: Partial<DashboardEdits>): DashboardEdits => ({ ...NO_EDITS, ...edits });

describe('the dashboard on screen', () => {
  test('is the stored dashboard while there are no edits', () => {
    const shown = shownOf(saved, NO_EDITS);
    expect(shown.tiles.map(({ key }) => key)).toEqual(['1', '2']);
    expect(shown.boxes).toEqual({ 1: { x: 0, y: 0, w: 6, h: 5 }, 2: { x: 6, y: 0, w: 6, h: 5 } });
    expect(changeOf(saved, NO_EDITS)).toBeNull();
  });

  test('is without the removed tiles and with the added ones', () => {
    const edits = withEdits({
      tiles: { 1: { isRemoved: true } },
      added: [{ key: 'new-1', color: null, text: 'Two' }],
      boxes: { 'new-1': { x: 0, y: 0, w: 4, h: 4 } },
    });
    expect(shownOf(saved, edits).tiles.map(({ key, text }) => [key, text])).toEqual([
      ['2', null],
      ['new-1', 'Two'],
    ]);
  });

  test('shows a copy as its original until it is stored', () => {
    const edits = withEdits({ added: [{ key: 'new-1', color: null, copyOf: 2 }] });
    expect(shownOf(saved, edits).tiles.at(-1)).toMatchObject({
      key: 'new-1',
      id: null,
      insight: { id: 12, name: 'Signups' },
    });
  });
});

describe('the stored change', () => {
  test('has only the edited fields', () => {
    const edits = withEdits({ name: 'Monthly', tiles: { 2: { color: 'blue' } } });
    expect(changeOf(saved, edits)).toEqual({ name: 'Monthly', tiles: [{ id: 2, color: 'blue' }] });
  });

  test('is null when an edit was reverted manually', () => {
    const edits = withEdits({
      name: 'Weekly',
      tiles: { 1: { body: '# One' } },
      filters: { date_from: '-7d' },
    });
    expect(changeOf(saved, edits)).toBeNull();
  });

  test('keeps the other fields of a layout, and the layout of small screens', () => {
    const layouts = { sm: { x: 0, y: 0, w: 6, h: 5, minW: 3 }, xs: { x: 0, y: 0, w: 1, h: 5 } };
    const one = dashboardWith([{ id: 1, layouts, text: textOf('One') }]);
    const edits = withEdits({ boxes: { 1: { x: 6, y: 0, w: 6, h: 5 } } });
    expect(changeOf(one, edits)).toEqual({
      tiles: [{ id: 1, layouts: { ...layouts, sm: { x: 6, y: 0, w: 6, h: 5, minW: 3 } } }],
    });
  });

  test('has the required fields for each kind of new tile', () => {
    const boxes = {
      'new-1': { x: 0, y: 5, w: 4, h: 4 },
      'new-2': { x: 4, y: 5, w: 4, h: 4 },
      'new-3': { x: 8, y: 5, w: 4, h: 4 },
    };
    const insight = { id: 40, short_id: 'x', name: 'Sales', description: '', query: null };
    const edits = withEdits({
      boxes,
      tiles: { 1: { isRemoved: true } },
      added: [
        { key: 'new-1', color: null, text: '## Money', isSection: true },
        { key: 'new-2', color: 'green', insight },
        { key: 'new-3', color: null, copyOf: 2 },
      ],
    });
    // The tile above is removed: all below it move up.
    const up = (box: object) => ({ sm: { ...box, y: 0 } });
    expect(changeOf(saved, edits)).toEqual({
      tiles: [
        { id: 1, deleted: true },
        {
          text: { body: '## Money' },
          layouts: up(boxes['new-1']),
          color: null,
          transparent_background: true,
        },
        { insight: 40, layouts: at(4, 5, 4, 4), color: 'green' },
      ],
      duplicate_tiles: [{ id: 2, layouts: at(8, 5, 4, 4), color: null, show_description: false }],
    });
  });

  test('includes the displayed position of tiles without a stored one, together with another change', () => {
    const two = dashboardWith([
      { id: 1, text: textOf('One') },
      { id: 2, text: textOf('Two') },
    ]);
    expect(changeOf(two, withEdits({ tiles: { 2: { color: 'blue' } } }))).toEqual({
      tiles: [
        { id: 1, layouts: at(0, 0, 6, 5) },
        { id: 2, layouts: at(6, 0, 6, 5), color: 'blue' },
      ],
    });
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TileChange } from './dashboards.contract.ts';
import { BARE_TILE, planTiles, type PlannedTile } from './plan-tiles.ts';

const tileOf = (id: number, content: Partial<PlannedTile>): PlannedTile => ({
  ...BARE_TILE,
  id,
  dashboardId: 1,
  insightId: null,
  textId: null,
  deleted: false,
  body: null,
  ...content,
});
const EXISTING = [
  tileOf(1, { insightId: 10 }),
  tileOf(2, { textId: 20, body: 'Hello' }),
  tileOf(3, { insightId: 30, deleted: true, color: 'blue' }),
];

const placed = {
  color: fc.option(fc.constantFrom('blue', 'green')),
  layouts: fc.option(fc.record({ sm: fc.record({ x: fc.nat(12), y: fc.nat(50) }) })),
  show_description: fc.option(fc.boolean()),
};
const anyChange: fc.Arbitrary<TileChange> = fc.oneof(
  fc.record(
    { id: fc.constantFrom(1, 3), deleted: fc.option(fc.boolean()), ...placed },
    { requiredKeys: ['id'] },
  ),
  fc.record({ id: fc.constant(2), text: fc.record({ body: fc.string() }) }, { requiredKeys: ['id'] }),
  fc.record(
    { insight: fc.constantFrom(10, 30, 40, 50), deleted: fc.option(fc.boolean()), ...placed },
    { requiredKeys: ['insight'] },
  ),
  fc.record({ text: fc.record({ body: fc.string() }), ...placed }, { requiredKeys: ['text'] }),
);

/** The tiles after a plan; new ones get the next ids. */
function applied(existing: readonly PlannedTile[], changes: readonly TileChange[]): PlannedTile[] {
  const plan = planTiles(existing, changes, (index) => changes[index]!.insight as number);
  const updated = new Map(plan.updated.map((tile) => [tile.id, tile]));
  const next = Math.max(0, ...existing.map(({ id }) => id)) + 1;
  return [
    ...existing.map((tile) => updated.get(tile.id) ?? tile),
    ...plan.added.map((tile, at) =>
      tileOf(next + at, { ...tile, textId: tile.body === null ? null : 1000 + next + at }),
    ),
  ];
}

test('for any changes, unnamed tiles are kept, no insight is there twice, and each tile has one content', () => {
  fc.assert(
    fc.property(fc.array(anyChange), (changes) => {
      const after = applied(EXISTING, changes);
      for (const tile of EXISTING) {
        const isNamed = changes.some(({ id, insight }) => id === tile.id || insight === tile.insightId);
        const now = after.find(({ id }) => id === tile.id)!;
        expect([now.insightId, now.textId]).toEqual([tile.insightId, tile.textId]);
        if (!isNamed) expect(now).toEqual(tile);
      }
      const insights = after.flatMap(({ insightId }) => insightId ?? []);
      expect(new Set(insights).size).toBe(insights.length);
      for (const { insightId, textId, body } of after) {
        expect((insightId === null) !== (textId === null)).toBe(true);
        expect(body === null).toBe(textId === null);
      }
    }),
  );
});

test('the same changes in one request or in several have the same result', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 8 }), (changes) => {
      const together = applied(EXISTING, changes);
      const apart = changes.reduce((tiles, change) => applied(tiles, [change]), EXISTING as PlannedTile[]);
      const seen = (tiles: PlannedTile[]) => tiles.map(({ textId: _, ...tile }) => tile);
      expect(seen(together)).toEqual(seen(apart));
    }),
  );
});

test('an insight is added once, however often it is sent', () => {
  fc.assert(
    fc.property(fc.array(anyChange), (changes) => {
      const named = changes.filter(({ id, insight }) => id !== undefined || insight !== undefined);
      const once = applied(EXISTING, named);
      const ofInsights = named.filter(({ id }) => id === undefined);
      expect(applied(once, ofInsights).length).toBe(once.length);
    }),
  );
});

/** The size of screen whose layout decides the order. */
export type LayoutSize = 'sm' | 'xs';

type Json = Readonly<Record<string, unknown>>;

/** The position of a tile without a layout (management contract 3.6). */
const NOWHERE = 100;

/** Tiles by their rows from above, in a row from the left; of two at one place the older comes first. */
export function inOrder<T extends { readonly id: number; readonly layouts: Json }>(
  tiles: readonly T[],
  size: LayoutSize = 'sm',
): T[] {
  const place = (tile: T, axis: 'x' | 'y') => coordinate(tile.layouts, size, axis);
  return [...tiles].sort(
    (a, b) => place(a, 'y') - place(b, 'y') || place(a, 'x') - place(b, 'x') || a.id - b.id,
  );
}

function coordinate(layouts: Json, size: LayoutSize, axis: 'x' | 'y'): number {
  const layout = layouts[size];
  const value = isObject(layout) ? layout[axis] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : NOWHERE;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

const WIDTH = 6;
const HEIGHT = 5;
const COLUMNS = 2;

/** The place of the tile at `index` when all are lined up in two columns, on small screens in one. */
export function gridPlace(index: number): Record<LayoutSize, Record<'x' | 'y' | 'w' | 'h', number>> {
  const row = Math.floor(index / COLUMNS);
  return {
    sm: { x: (index % COLUMNS) * WIDTH, y: row * HEIGHT, w: WIDTH, h: HEIGHT },
    xs: { x: 0, y: index * HEIGHT, w: 1, h: HEIGHT },
  };
}

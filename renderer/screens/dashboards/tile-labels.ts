import { insightName } from '../../ui/insight-name.ts';
import type { Box } from '../../ui/tile-boxes.ts';
import type { ShownTile } from './dashboard-draft.ts';

/** What a tile is called: its insight's name, or how its text begins. */
export function nameOfTile({ insight, text }: ShownTile): string {
  if (insight) return insightName(insight);
  const line = (text ?? '').split('\n').find((one) => one.trim() !== '') ?? '';
  return line.replace(/^#+\s*/, '').trim() || 'Text';
}

/** How low a tile can be: a heading is one line, all else has a line of its own above what it shows. */
export function leastRows(tile: { isSection: boolean } | undefined): number {
  return tile?.isSection ? 1 : 2;
}

/** The position of a tile, for screen readers. */
export function placeLabel({ x, y, w, h }: Box): string {
  return `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
}

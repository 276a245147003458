import type { Box } from '../../ui/tile-boxes.ts';
import type { ShownTile } from './dashboard-draft.ts';

/** What a tile is called: its insight's name, or how its text begins. */
export function nameOfTile({ insight, text }: ShownTile): string {
  if (insight) return insight.name || insight.derived_name || 'Insight without a name';
  const line = (text ?? '').split('\n').find((one) => one.trim() !== '') ?? '';
  return line.replace(/^#+\s*/, '').trim() || 'Text';
}

/** Where a tile stands, for those who are read to. */
export function placeWords({ x, y, w, h }: Box): string {
  return `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
}

/** What a file of a dashboard is called. */
export function fileNameOf(name: string, ending: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${plain || 'dashboard'}.${ending}`;
}

/** The colours of a tile: PostHog's names, of which each is a token here. */
export const COLORS: readonly { id: string; label: string; token: string }[] = [
  { id: 'white', label: 'None', token: 'var(--surface)' },
  { id: 'blue', label: 'Blue', token: 'var(--blue-mark)' },
  { id: 'green', label: 'Green', token: 'var(--green-mark)' },
  { id: 'purple', label: 'Purple', token: 'var(--c-4)' },
  { id: 'black', label: 'Black', token: 'var(--ink)' },
];

/** The token of a tile's colour; null for none or one that is not known. */
export function colorToken(color: string | null): string | null {
  if (color === null || color === 'white') return null;
  return COLORS.find(({ id }) => id === color)?.token ?? null;
}

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

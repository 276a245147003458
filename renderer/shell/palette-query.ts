/** What a prefix of the palette narrows it to. */
export type PaletteScope = 'commands' | 'persons' | 'events';

export interface PaletteQuery {
  scope: PaletteScope | null;
  text: string;
}

/** The prefixes, in the order in which the palette explains them. */
export const PREFIXES: readonly { key: string; scope: PaletteScope }[] = [
  { key: '>', scope: 'commands' },
  { key: '@', scope: 'persons' },
  { key: '#', scope: 'events' },
];

/** Minimum length without a prefix: shorter words match too many things. */
const SHORTEST_TEXT = 2;

/** Only a first letter is a prefix: `ana@reyes.example` is searched as it is. */
export function readPaletteQuery(typed: string): PaletteQuery {
  const text = typed.trim();
  const prefix = PREFIXES.find(({ key }) => text.startsWith(key));
  return prefix ? { scope: prefix.scope, text: text.slice(1).trim() } : { scope: null, text };
}

/** Whether the server is searched for it. Of persons and events it lists some before a letter is typed. */
export function isSearched({ scope, text }: PaletteQuery): boolean {
  if (scope === 'commands') return false;
  return scope !== null || text.length >= SHORTEST_TEXT;
}

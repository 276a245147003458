/** Where a tile stands on the grid of twelve columns. */
export interface TileLayout {
  x?: number;
  y?: number;
  w?: number;
  h?: number;
}

export interface SharedInsight {
  id: number;
  name: string | null;
  derived_name: string | null;
  description: string;
  query: Record<string, unknown> | null;
}

export interface SharedTile {
  id: number;
  layouts: { sm?: TileLayout };
  color: string | null;
  insight: SharedInsight | null;
  text: { body: string } | null;
  show_description?: boolean | null;
}

interface PageFlags {
  whitelabel?: boolean;
  noHeader?: boolean;
  hideExtraDetails?: boolean;
  theme?: string;
}

/** What the server has put into the page: a dashboard, an insight, or nothing that this link opens. */
export type SharedData = PageFlags &
  (
    | { type: 'missing' }
    | { type: 'scene' | 'embed'; dashboard: { name: string; description: string; tiles: SharedTile[] } }
    | { type: 'scene' | 'embed'; insight: SharedInsight }
  );

/** Reads what the page was given; a page that was opened as a bare file was given nothing. */
export function readSharedData(page: Pick<Document, 'getElementById'>): SharedData {
  const text = page.getElementById('shared')?.textContent?.trim() ?? '';
  return text === '' ? { type: 'missing' } : (JSON.parse(text) as SharedData);
}

/** What an insight is called where it has no name of its own. */
export function insightName({ name, derived_name }: SharedInsight): string {
  return name || derived_name || 'Untitled insight';
}

import type { BodyOf } from '../../api/client.ts';
import { placeBoxes, type Box } from '../../ui/tile-boxes.ts';

/** What a tile of a template looks like before it exists. */
export interface PreviewTile {
  name: string;
  kind: 'chart' | 'number' | 'steps' | 'grid' | 'table' | 'text';
  box: Box;
}

type Fields = Readonly<Record<string, unknown>>;

/** The tiles of a template at their places. */
export function previewOf(tiles: readonly Fields[]): PreviewTile[] {
  const boxes = placeBoxes(tiles.map(({ layouts }) => (layouts as Fields | null | undefined)?.['sm']));
  return tiles.map((tile, at) => ({ name: nameOf(tile), kind: kindOf(tile), box: boxes[at]! }));
}

function nameOf({ type, name, body }: Fields): string {
  const words = type === 'TEXT' ? String(body ?? '').replace(/^#+\s*/, '') : String(name ?? '');
  return words.split('\n', 1)[0]!.trim() || 'Tile';
}

function kindOf({ type, query, filters }: Fields): PreviewTile['kind'] {
  if (type === 'TEXT') return 'text';
  const node = (query ?? filters ?? {}) as Fields;
  const source = (node['source'] ?? node) as Fields;
  const display = (source['trendsFilter'] as Fields | undefined)?.['display'] ?? source['display'];
  const kind = String(source['kind'] ?? source['insight'] ?? '');
  if (/funnel/i.test(kind)) return 'steps';
  if (/retention/i.test(kind)) return 'grid';
  if (display === 'BoldNumber') return 'number';
  return /hogql|events/i.test(kind) || /table|value/i.test(String(display)) ? 'table' : 'chart';
}

/** What is wrong with a file that shall become a dashboard; empty for nothing. */
export function problemOfTemplate(file: unknown): string {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    return 'A dashboard file is a JSON object with a template_name and tiles.';
  const { template_name: name, tiles } = file as Fields;
  if (typeof name !== 'string' || name.trim() === '') return 'The file has no template_name.';
  if (!Array.isArray(tiles)) return 'The file has no tiles.';
  return '';
}

/** The tiles of a file without problems; none for an empty dashboard. */
export function tilesOf(file: Fields): readonly Fields[] {
  return file['tiles'] as readonly Fields[];
}

/** What a file says of its dashboard beside the tiles. */
export function withoutTiles(file: Fields): BodyOf<'POST P/dashboards/'> {
  return {
    name: file['template_name'] as string,
    description: (file['dashboard_description'] ?? '') as string,
    filters: (file['dashboard_filters'] ?? {}) as Fields,
    variables: (file['dashboard_variables'] ?? {}) as Fields,
    tags: (file['tags'] ?? []) as string[],
  };
}

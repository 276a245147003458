import type { TemplateBody } from './dashboard-templates.contract.ts';

/** A template that comes with the program. */
export interface BuiltInTemplate extends Pick<
  TemplateBody,
  'template_name' | 'dashboard_description' | 'dashboard_filters' | 'tiles'
> {
  readonly id: string;
  /** The key of the template in `use_template`. */
  readonly key: string;
  readonly tags: readonly string[];
}

const WIDTH = 6;
const HEIGHT = 5;

/** Two tiles side by side on a wide screen, one below the other on a narrow one; `place` counts from 0. */
function layoutsAt(place: number, columns: 1 | 2) {
  const y = Math.floor(place / 2) * HEIGHT;
  return {
    sm: { x: (place % 2) * WIDTH, y, w: columns * WIDTH, h: HEIGHT, minW: 3, minH: HEIGHT },
    xs: { x: 0, y: place * HEIGHT, w: 1, h: HEIGHT, minW: 1, minH: HEIGHT },
  };
}

/** A tile that shows an insight. */
export function insightTileAt(
  place: number,
  {
    name,
    description,
    source,
  }: { name: string; description: string; source: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const query = { kind: 'InsightVizNode', source };
  return { type: 'INSIGHT', name, description, query, layouts: layoutsAt(place, 1), color: null };
}

/** A text across both columns. */
export function textTileAt(place: number, body: string): Record<string, unknown> {
  return { type: 'TEXT', body, layouts: layoutsAt(place, 2), color: null };
}

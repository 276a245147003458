import { ApiError, fail } from '../../errors.ts';
import { validate } from '../../http/validation.ts';
import { queryOfFilters, readQuery } from '../query/index.ts';
import { insightTile, templateBody, textTile } from './dashboard-templates.contract.ts';
import { withDefaults } from './template-variables.ts';

/** How a tile lies on its dashboard, and its colour. */
interface TilePlace {
  readonly layouts: Readonly<Record<string, unknown>>;
  readonly color: string | null;
}

/** An insight to be made; its query was checked. */
export interface TemplateInsight {
  readonly name: string | null;
  readonly description: string;
  readonly query: Readonly<Record<string, unknown>> | null;
  readonly filters: Readonly<Record<string, unknown>>;
}

export type TemplateTile =
  | (TilePlace & { readonly type: 'INSIGHT'; readonly insight: TemplateInsight })
  | (TilePlace & { readonly type: 'TEXT'; readonly body: string });

/** A template, ready to be made a dashboard. */
export interface Template {
  readonly name: string;
  readonly description: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly tiles: readonly TemplateTile[];
  /** Types of tiles that were left out, because nothing here shows them. */
  readonly skipped: readonly string[];
}

/**
 * Reads a template as it was sent (management contract 3.8); variables get their defaults. Throws invalid_input without a
 * field, its detail names the rule that is violated.
 */
export function readTemplate(value: unknown): Template {
  return withoutField(() => {
    const body = validate(templateBody, value);
    const tiles = body.tiles.map((tile, index) => readTile(withDefaults(tile, body.variables ?? []), index));
    const tags = (body.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '');
    return {
      name: body.template_name,
      description: body.dashboard_description,
      filters: body.dashboard_filters,
      tags: [...new Set(tags)],
      tiles: tiles.filter((tile) => typeof tile !== 'string'),
      skipped: tiles.filter((tile) => typeof tile === 'string'),
    };
  });
}

/** The tile, or the name of a type that is left out. */
function readTile(tile: unknown, index: number): TemplateTile | string {
  const { type } = tile as { type?: unknown };
  if (type === 'TEXT') {
    const { body, layouts, color } = at(index, () => validate(textTile, tile));
    return { type, body, layouts: layouts ?? {}, color: color ?? null };
  }
  if (type === 'INSIGHT') return at(index, () => readInsightTile(tile));
  if (typeof type === 'string') return type;
  throw fail('invalid_input', { attr: `tiles__${index}__type`, detail: 'INSIGHT or TEXT was expected.' });
}

function readInsightTile(tile: unknown): TemplateTile {
  const { name = null, description, query, filters, layouts, color } = validate(insightTile, tile);
  if (!query && !filters)
    throw fail('required', { attr: 'query', detail: 'A query or filters are required.' });
  return {
    type: 'INSIGHT',
    insight: {
      name,
      description: description ?? '',
      query: query ? readQuery(query) : queryOfFilters(filters ?? {}),
      filters: filters ?? {},
    },
    layouts: layouts ?? {},
    color: color ?? null,
  };
}

/** Names the tile in the refusal of its part. */
function at<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const attr = ['tiles', index, ...(error.attr === null ? [] : [error.attr])].join('__');
    throw fail(error.errorName, { attr, detail: error.message });
  }
}

/** All refusals of a template are one row of the table; the field stands in the detail. */
function withoutField<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const field = error.attr?.replaceAll('__', '.');
    throw fail('invalid_input', {
      detail: field === undefined ? `The template: ${error.message}` : `${field}: ${error.message}`,
    });
  }
}

import { ApiError, fail } from '../../errors.ts';
import { validate } from '../../http/validation.ts';
import { checkDashboardFilters, queryOfFilters, readQuery } from '../query/index.ts';
import { insightTile, templateBody, textTile, type TilePlaceBody } from './dashboard-templates.contract.ts';
import { withDefaults } from './template-variables.ts';

type Json = Readonly<Record<string, unknown>>;

/** How a tile lies on its dashboard, and its look; null where nothing is said. */
interface TilePlace {
  readonly layouts: Json;
  readonly color: string | null;
  readonly showDescription: boolean | null;
  readonly filtersOverrides: Json | null;
  readonly transparentBackground: boolean | null;
}

/** An insight to create, with a valid query. */
export interface TemplateInsight {
  readonly name: string | null;
  readonly description: string;
  readonly query: Json | null;
  readonly filters: Json;
}

export type TemplateTile =
  | (TilePlace & { readonly type: 'INSIGHT'; readonly insight: TemplateInsight })
  | (TilePlace & { readonly type: 'TEXT'; readonly body: string });

/** A template, ready to create a dashboard from. */
export interface Template {
  readonly name: string;
  readonly description: string;
  readonly filters: Json;
  /** Values of the variables of SQL. */
  readonly variables: Json;
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
    checkDashboardFilters(body.dashboard_filters, 'dashboard_filters');
    const tiles = body.tiles.map((tile, index) => readTile(withDefaults(tile, body.variables ?? []), index));
    const tags = (body.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '');
    return {
      name: body.template_name,
      description: body.dashboard_description,
      filters: body.dashboard_filters,
      variables: body.dashboard_variables ?? {},
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
    const { body, ...place } = at(index, () => validate(textTile, tile));
    return { type, body, ...at(index, () => placeOf(place)) };
  }
  if (type === 'INSIGHT') return at(index, () => readInsightTile(tile));
  if (typeof type === 'string') return type;
  throw fail('invalid_input', { attr: `tiles__${index}__type`, detail: 'INSIGHT or TEXT was expected.' });
}

function readInsightTile(tile: unknown): TemplateTile {
  const { name = null, description, query, filters, ...place } = validate(insightTile, tile);
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
    ...placeOf(place),
  };
}

/** Throws invalid_input for filters that no query could read. */
function placeOf(place: TilePlaceBody): TilePlace {
  if (place.filters_overrides) checkDashboardFilters(place.filters_overrides, 'filters_overrides');
  return {
    layouts: place.layouts ?? {},
    color: place.color ?? null,
    showDescription: place.show_description ?? null,
    filtersOverrides: place.filters_overrides ?? null,
    transparentBackground: place.transparent_background ?? null,
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

/** All refusals of a template have the same error without a field, so the detail names the field. */
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

import { fail } from '../../errors.ts';
import { LEGACY_KINDS } from './query-kinds.ts';
import { isFields, isSet, plain, type Fields } from './legacy-filters.ts';
import { checkFields, isQuery, readQuery, type StoredQuery } from './read-query.ts';

const LEGACY = new Map(LEGACY_KINDS.map((kind) => [kind.name, kind]));

/**
 * The query of the same meaning as old filters of an insight (management contract 9.6, 9.9.2), or null when they have
 * nothing that a query can say. Throws invalid_input for a part of them that nothing reads.
 */
export function queryOfFilters(filters: Fields): StoredQuery | null {
  const query = { kind: 'InsightVizNode', source: sourceOfFilters(filters) };
  if (!isQuery(query)) return null;
  checkFields(query);
  return query;
}

/** The query itself, to be run now. Throws parse_error, which describes the problem of the intended kind. */
export function readFilters(filters: Fields): StoredQuery {
  return readQuery(sourceOfFilters(filters));
}

/** Fields of old filters of PostHog that change numbers, and that no query here can say. */
const NOT_SUPPORTED = ['funnel_paths', 'funnel_filter', 'excludeIncompletePeriods', 'hide_weekends'];

function sourceOfFilters(filters: Fields): Fields | null {
  const field = NOT_SUPPORTED.find((name) => isSet(filters[name]) && plain(filters[name]) !== false);
  if (field !== undefined)
    throw fail('invalid_input', { detail: `filters: "${field}" is not supported yet.` });
  return LEGACY.get(insightOf(filters))?.source(filters) ?? null;
}

/** Older filters name trends and have the actual kind in `shown_as`; the oldest have no kind. */
function insightOf(filters: Fields): string {
  const { insight, shown_as: shownAs } = filters;
  const name = typeof insight === 'string' ? insight.toUpperCase() : isSet(insight) ? '' : guess(filters);
  const shown = typeof shownAs === 'string' ? shownAs.toUpperCase() : '';
  return name === 'TRENDS' && LEGACY.get(shown)?.path === 'trend' ? shown : name;
}

function guess({ events, actions, target_entity: target }: Fields): string {
  if (Array.isArray(events) || Array.isArray(actions)) return 'TRENDS';
  return isFields(target) ? 'RETENTION' : '';
}

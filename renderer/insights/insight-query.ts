import type { PropertyFilter } from '../ui/property-filter.ts';

export interface SeriesNode {
  kind: 'EventsNode' | 'ActionsNode' | 'GroupNode';
  event?: string | null;
  /** Of a group. */
  nodes?: SeriesNode[];
  id?: number;
  name?: string | null;
  math?: string | null;
  math_property?: string | null;
  math_hogql?: string | null;
  math_group_type_index?: number | null;
  properties?: PropertyFilter[] | null;
  [key: string]: unknown;
}

export interface Breakdown {
  /** The name of a property, an expression, or the id of a cohort. */
  property: string | number;
  type: 'event' | 'person' | 'group' | 'session' | 'cohort' | 'hogql';
  group_type_index?: number | null;
  [key: string]: unknown;
}

/** The query of an insight (management contract 9.9). Fields that are not declared here are kept as they are. */
export interface InsightQuery {
  kind: string;
  series?: SeriesNode[];
  interval?: string | null;
  dateRange?: { date_from?: string | null; date_to?: string | null; [key: string]: unknown } | null;
  properties?: PropertyFilter[] | { type: string; values: unknown[] } | null;
  filterTestAccounts?: boolean | null;
  samplingFactor?: number | null;
  breakdownFilter?: {
    breakdowns?: Breakdown[] | null;
    breakdown_limit?: number | null;
    [key: string]: unknown;
  } | null;
  compareFilter?: { compare?: boolean | null; compare_to?: string | null } | null;
  trendsFilter?: {
    display?: string | null;
    formula?: string | null;
    smoothingIntervals?: number | null;
    [key: string]: unknown;
  } | null;
  funnelsFilter?: Record<string, unknown> | null;
  retentionFilter?: Record<string, unknown> | null;
  pathsFilter?: Record<string, unknown> | null;
  [key: string]: unknown;
}

const WRAPPERS = new Set(['InsightVizNode', 'DataTableNode', 'DataVisualizationNode']);

/** The query within its wrapper node; `null` for a value that is not a query. */
export function sourceOf(query: unknown): { kind: string; [key: string]: unknown } | null {
  if (typeof query !== 'object' || query === null) return null;
  const node = query as { kind?: unknown; source?: unknown };
  if (typeof node.kind !== 'string') return null;
  if (WRAPPERS.has(node.kind)) return sourceOf(node.source);
  return node as { kind: string };
}

/** The name of a series. */
export function nameOfNode({ kind, custom_name: own, name, event, id, nodes }: SeriesNode): string {
  if (typeof own === 'string' && own !== '') return own;
  if (kind === 'GroupNode') return name || (nodes ?? []).map((node) => nameOfNode(node)).join(', ');
  if (kind === 'ActionsNode') return name ?? `Action ${id}`;
  return event ?? 'Any event';
}

/** What a query counts, as a column is called: `Persons`, `Sessions` of a funnel of sessions, or `Groups`. */
export function actorsLabel({ funnelsFilter, aggregation_group_type_index: group }: InsightQuery): string {
  if (typeof group === 'number') return 'Groups';
  const expression = funnelsFilter?.['funnelAggregateByHogQL'];
  if (typeof expression !== 'string' || expression === '' || expression === 'person_id') return 'Persons';
  return expression.includes('session') ? 'Sessions' : 'Actors';
}

/** `A` for the first. */
export function letterOf(index: number): string {
  return String.fromCodePoint(65 + (index % 26));
}

/** A default name for a query about series: `Retention of sign up by country`. */
export function nameOfSeries(
  { series = [], breakdownFilter }: InsightQuery,
  {
    noun = '',
    nodes = series,
    separator = ', ',
  }: { noun?: string; nodes?: SeriesNode[]; separator?: string } = {},
): string {
  const list = nodes.map((node) => nameOfNode(node)).join(separator);
  const by = (breakdownFilter?.breakdowns ?? [])
    .filter(({ type }) => type !== 'cohort')
    .map(({ property }) => property)
    .join(', ');
  return `${noun ? `${noun} of ` : ''}${list}${by ? ` by ${by}` : ''}`.slice(0, 400);
}

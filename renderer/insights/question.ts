import type { PropertyFilter } from '../ui/property-filter.ts';

export interface SeriesNode {
  kind: 'EventsNode' | 'ActionsNode';
  event?: string | null;
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

/** What an insight asks: the query itself (management contract 9.9). Parts that are not named here are kept as they are. */
export interface Question {
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

/** The query within what wraps it; `null` for what is no query. */
export function sourceOf(query: unknown): { kind: string; [key: string]: unknown } | null {
  if (typeof query !== 'object' || query === null) return null;
  const node = query as { kind?: unknown; source?: unknown };
  if (typeof node.kind !== 'string') return null;
  if (WRAPPERS.has(node.kind)) return sourceOf(node.source);
  return node as { kind: string };
}

/** What retention wrote, as a series. */
export function nodeOfEntity(entity: unknown): SeriesNode {
  const { id, name, type } = (entity ?? {}) as { id?: string | number | null; name?: string; type?: string };
  if (type === 'actions') return { kind: 'ActionsNode', id: Number(id), name: name ?? null };
  return { kind: 'EventsNode', event: id == null ? null : String(id) };
}

/** What a series is called. */
export function nameOfNode({ kind, custom_name: own, name, event, id }: SeriesNode): string {
  if (typeof own === 'string' && own !== '') return own;
  if (kind === 'ActionsNode') return name ?? `Action ${id}`;
  return event ?? 'Any event';
}

/** `A` for the first. */
export function letterOf(index: number): string {
  return String.fromCodePoint(65 + (index % 26));
}

/** A name for a question about series that has none: `Retention of sign up by country`. */
export function nameOfSeries(
  { series = [], breakdownFilter }: Question,
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

/** A series as retention writes it. */
export function entityOf({ kind, event, id, name }: SeriesNode): Record<string, unknown> {
  return kind === 'ActionsNode'
    ? { id, name: name ?? undefined, type: 'actions' }
    : { id: event ?? null, name: event ?? undefined, type: 'events' };
}

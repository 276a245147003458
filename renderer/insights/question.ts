import type { PropertyFilter } from '../ui/property-filter.ts';

/** What an insight asks: the query itself (management contract 9.9). Parts that are not named here are kept as they are. */
export type QuestionKind =
  'TrendsQuery' | 'FunnelsQuery' | 'RetentionQuery' | 'StickinessQuery' | 'LifecycleQuery' | 'PathsQuery';

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

export interface Question {
  kind: QuestionKind;
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

export const KINDS: readonly { id: QuestionKind; label: string; noun: string }[] = [
  { id: 'TrendsQuery', label: 'Trends', noun: 'Trend' },
  { id: 'FunnelsQuery', label: 'Funnels', noun: 'Funnel' },
  { id: 'RetentionQuery', label: 'Retention', noun: 'Retention' },
  { id: 'StickinessQuery', label: 'Stickiness', noun: 'Stickiness' },
  { id: 'LifecycleQuery', label: 'Lifecycle', noun: 'Lifecycle' },
  { id: 'PathsQuery', label: 'Paths', noun: 'Paths' },
];

const WRAPPERS = new Set(['InsightVizNode', 'DataTableNode', 'DataVisualizationNode']);

/** The query within what wraps it; `null` for what is no query. */
export function sourceOf(query: unknown): { kind: string; [key: string]: unknown } | null {
  if (typeof query !== 'object' || query === null) return null;
  const node = query as { kind?: unknown; source?: unknown };
  if (typeof node.kind !== 'string') return null;
  if (WRAPPERS.has(node.kind)) return sourceOf(node.source);
  return node as { kind: string };
}

/** The question within a stored query, or `null` when it is of another kind, such as SQL. */
export function questionOf(query: unknown): Question | null {
  const node = sourceOf(query);
  return KINDS.some(({ id }) => id === node?.kind) ? (node as Question) : null;
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

/** A name for a question that has none: `Unique persons of sign up by day`. */
export function nameOfQuestion(question: Question): string {
  const { kind, series = [], breakdownFilter, retentionFilter } = question;
  if (kind === 'PathsQuery') return 'Paths';
  const names =
    kind === 'RetentionQuery'
      ? [nameOfNode(nodeOfEntity(retentionFilter?.['targetEntity']))]
      : series.map((node) => nameOfNode(node));
  const list = names.join(kind === 'FunnelsQuery' ? ' to ' : ', ');
  const by = (breakdownFilter?.breakdowns ?? [])
    .filter(({ type }) => type !== 'cohort')
    .map(({ property }) => property)
    .join(', ');
  const noun =
    kind === 'TrendsQuery' || kind === 'FunnelsQuery'
      ? ''
      : `${KINDS.find(({ id }) => id === kind)!.noun} of `;
  return `${noun}${list}${by ? ` by ${by}` : ''}`.slice(0, 400);
}

/** A series as retention writes it. */
export function entityOf({ kind, event, id, name }: SeriesNode): Record<string, unknown> {
  return kind === 'ActionsNode'
    ? { id, name: name ?? undefined, type: 'actions' }
    : { id: event ?? null, name: event ?? undefined, type: 'events' };
}

import { sourceOf } from '../insight-query.ts';
import { firstChoice, type ChartChoice } from './result-chart.ts';
import type { ResultColumn } from './result-values.ts';

/** A stored SQL query with what wraps it: a HogQLQuery, or a DataVisualizationNode or DataTableNode around one. */
export interface SqlNode {
  kind: string;
  source?: unknown;
  display?: unknown;
  chartSettings?: unknown;
  [key: string]: unknown;
}

export interface SqlQuery {
  kind: 'HogQLQuery';
  query: string;
  values?: Record<string, unknown> | null;
  variables?: Record<string, { code_name?: string; value?: unknown; [key: string]: unknown }> | null;
  [key: string]: unknown;
}

/** How a result can be shown, by the names that PostHog stores. */
export const SQL_DISPLAYS = [
  { id: 'ActionsTable', label: 'Table' },
  { id: 'ActionsLineGraph', label: 'Line', shape: 'line' },
  { id: 'ActionsAreaGraph', label: 'Stacked area', shape: 'area' },
  { id: 'ActionsBar', label: 'Bar', shape: 'grouped' },
  { id: 'ActionsStackedBar', label: 'Stacked bar', shape: 'bar' },
  { id: 'BoldNumber', label: 'Number' },
] as const;
export type SqlDisplay = (typeof SQL_DISPLAYS)[number]['id'];

/** The node of a stored SQL query, or `null` for a query of another kind. */
export function sqlOf(query: unknown): SqlNode | null {
  const source = sourceOf(query);
  return source?.kind === 'HogQLQuery' && typeof source['query'] === 'string' ? (query as SqlNode) : null;
}

/** The query that a node runs. */
export function sqlQueryOf(node: SqlNode): SqlQuery {
  return sourceOf(node) as unknown as SqlQuery;
}

/** The same node with another query; its settings stay. */
export function withSqlQuery(node: SqlNode, query: SqlQuery): SqlNode {
  if (node.source === undefined || node.source === null) return query;
  return { ...node, source: sqlOf(node.source) ? withSqlQuery(node.source as SqlNode, query) : query };
}

/** The chosen display; `null` where none is stored or it is one that is not drawn here. */
export function displayOf(node: SqlNode): SqlDisplay | null {
  return SQL_DISPLAYS.find(({ id }) => id === node.display)?.id ?? null;
}

/** The same query under another display. Only a DataVisualizationNode holds one, so another wrapper is replaced. */
export function withDisplay(node: SqlNode, display: SqlDisplay): SqlNode {
  return { ...visualization(node), display };
}

function visualization(node: SqlNode): SqlNode {
  return node.kind === 'DataVisualizationNode'
    ? node
    : { kind: 'DataVisualizationNode', source: sqlQueryOf(node) };
}

interface ChartSettings {
  xAxis?: { column?: string } | null;
  yAxis?: { column?: string; [key: string]: unknown }[] | null;
  seriesBreakdownColumn?: string | null;
  [key: string]: unknown;
}

const settingsOf = (node: SqlNode): ChartSettings => (node.chartSettings ?? {}) as ChartSettings;

/** The columns that the chart shows: those of the stored settings, else the default ones. */
export function choiceOf(node: SqlNode, columns: readonly ResultColumn[]): ChartChoice | null {
  const first = firstChoice(columns);
  const { xAxis, yAxis, seriesBreakdownColumn } = settingsOf(node);
  const atOf = (name: unknown) => columns.find((column) => column.name === name)?.at;
  const x = atOf(xAxis?.column) ?? first?.x;
  const ys = (yAxis ?? []).flatMap(({ column }) => atOf(column) ?? []);
  if (x === undefined) return first;
  const split = atOf(seriesBreakdownColumn) ?? (xAxis || yAxis ? null : (first?.split ?? null));
  if (ys.length === 0) return first && { ...first, x, split };
  if (ys.length === 1 || split !== null) return { x, y: ys[0]!, split };
  return { x, y: null, split, among: ys };
}

/** The same query with other columns in its chart; what else was set of the axes stays. */
export function withChoice(
  node: SqlNode,
  columns: readonly ResultColumn[],
  { x, y, split, among }: ChartChoice,
): SqlNode {
  const before = settingsOf(node);
  const numbers = columns.filter(({ kind, at }) => kind === 'number' && at !== x).map(({ at }) => at);
  const ys = y === null ? (among ?? numbers) : [y];
  const nameOf = (at: number) => columns.find((column) => column.at === at)!.name;
  const axisOf = (column: string) => before.yAxis?.find((axis) => axis.column === column) ?? { column };
  const { seriesBreakdownColumn: _, ...rest } = before;
  const chartSettings: ChartSettings = {
    ...rest,
    xAxis: { ...(before.xAxis?.column === nameOf(x) ? before.xAxis : {}), column: nameOf(x) },
    yAxis: ys.map((at) => axisOf(nameOf(at))),
    ...(split === null ? {} : { seriesBreakdownColumn: nameOf(split) }),
  };
  return { ...visualization(node), chartSettings };
}

import { stringify } from 'csv-stringify/sync';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';

/** Of a table. */
const MAX_ROWS = 500;
/** Of the columns of a chart with a column for each moment. */
const BAR_WIDTH = 24;
const SPARKS = '▁▂▃▄▅▆▇█';

type Json = Record<string, unknown>;

/** What a query returned, as a compact chart and rows that an assistant can read and quote. */
export function answerText(answer: { results?: unknown; columns?: unknown; hasMore?: unknown }): string {
  const { results, columns } = answer;
  if (!Array.isArray(results)) return results === undefined ? 'No result.' : stringifyExactly(results);
  if (results.length === 0) return 'No rows.';
  if (Array.isArray(columns)) return tableText(columns.map(String), results, answer.hasMore === true);
  const first: unknown = Array.isArray(results[0]) ? results[0][0] : results[0];
  if (!isObject(first)) return stringifyExactly(results);
  if ('values' in first && 'date' in first) return retentionText(results as Cohort[]);
  if ('source' in first && 'target' in first && 'value' in first) return pathsText(results as Edge[]);
  if (Array.isArray(first['data'])) return seriesText(results as Series[]);
  if ('order' in first && 'count' in first)
    return (Array.isArray(results[0]) ? (results as Step[][]) : [results as Step[]])
      .map(funnelText)
      .join('\n\n');
  return results.slice(0, MAX_ROWS).map(stringifyExactly).join('\n');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows as CSV: the form with the fewest characters that is still read without doubt. */
function csvText(rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown): string =>
    value === null || value === undefined ? '' : typeof value === 'string' ? value : stringifyExactly(value);
  return stringify(rows.map((row) => row.map(cell))).trimEnd();
}

function tableText(columns: readonly string[], rows: readonly unknown[], hasMore: boolean): string {
  const listed = rows.slice(0, MAX_ROWS).map((row) => (Array.isArray(row) ? row : [row]));
  const isCut = hasMore || rows.length > MAX_ROWS;
  const note = isCut ? ' There are more: add a LIMIT (up to 500) and OFFSET, or aggregate.' : '';
  const count = `${listed.length} row${listed.length === 1 ? '' : 's'}.${note}`;
  return `${csvText([columns, ...listed])}\n\n${count}`;
}

interface Series {
  label?: string;
  breakdown_value?: unknown;
  compare_label?: string;
  status?: string;
  data: number[];
  days?: string[];
  labels?: string[];
  count?: number;
  aggregated_value?: number;
}

/** A line for each series with its course, then the numbers of each moment; of totals, a bar for each. */
function seriesText(series: readonly Series[]): string {
  const nameOf = (
    { label, compare_label: compared, status, breakdown_value: value }: Series,
    at: number,
  ): string =>
    [label ?? status ?? (value === undefined ? `series ${at + 1}` : textOf(value)), compared]
      .filter(Boolean)
      .join(' ');
  const moments = series[0]!.days ?? series[0]!.labels ?? [];
  if (moments.length === 0) {
    const values = series.map((one) => one.aggregated_value ?? one.count ?? 0);
    return barsText(series.map((one, at) => ({ name: nameOf(one, at), value: values[at]! })));
  }
  const lines = series.map((one, at) => {
    const { data, count } = one;
    if (data.length === 0) return `${nameOf(one, at)}: no values`;
    const total = count === undefined ? '' : `, total ${count}`;
    return `${nameOf(one, at)}: ${sparkline(data)} (${Math.min(...data)} to ${Math.max(...data)}${total})`;
  });
  const listed = moments.slice(-MAX_ROWS);
  const from = moments.length - listed.length;
  const rows = listed.map((moment, at) => [moment, ...series.map(({ data }) => data[from + at])]);
  return `${lines.join('\n')}\n\n${csvText([['date', ...series.map(nameOf)], ...rows])}`;
}

function sparkline(data: readonly number[]): string {
  // More characters than a line has are no picture.
  const shown = data.slice(-120);
  const [low, high] = [Math.min(0, ...shown), Math.max(...shown)];
  return shown
    .map(
      (value) => SPARKS[high === low ? 0 : Math.round(((value - low) / (high - low)) * (SPARKS.length - 1))],
    )
    .join('');
}

function barsText(bars: readonly { name: string; value: number; note?: string }[]): string {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return bars
    .map(({ name, value, note = '' }) => {
      const width = most <= 0 || value <= 0 ? 0 : Math.max(1, Math.round((value / most) * BAR_WIDTH));
      return `${'█'.repeat(width).padEnd(BAR_WIDTH)} ${value} ${name}${note}`;
    })
    .join('\n');
}

interface Step {
  name?: string | null;
  custom_name?: string | null;
  count: number;
  average_conversion_time?: number | null;
  breakdown_value?: unknown;
}

function funnelText(steps: readonly Step[]): string {
  const first = steps[0]?.count ?? 0;
  const group = steps[0]?.breakdown_value;
  const bars = barsText(
    steps.map(({ name, custom_name: custom, count, average_conversion_time: seconds }, at) => ({
      name: `${at + 1}. ${custom ?? name ?? ''}`,
      value: count,
      note: `, ${shareOf(count, first)} of the first step${at === 0 || typeof seconds !== 'number' ? '' : `, ${Math.round(seconds)} s after the previous step on average`}`,
    })),
  );
  return group === undefined ? bars : `${textOf(group)}:\n${bars}`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Math.round((part / whole) * 1000) / 10} %`;
}

interface Cohort {
  date: string;
  label: string;
  values: { count: number; label?: string }[];
  breakdown_value?: unknown;
}

function retentionText(cohorts: readonly Cohort[]): string {
  const widest = cohorts.reduce((most, one) => (one.values.length > most.values.length ? one : most));
  const hasGroups = cohorts.some((one) => one.breakdown_value !== undefined);
  const header = [
    ...(hasGroups ? ['breakdown'] : []),
    'began',
    ...widest.values.map(({ label }, at) => label ?? String(at)),
  ];
  const rows = cohorts
    .slice(0, MAX_ROWS)
    .map(({ date, values, breakdown_value: group }) => [
      ...(hasGroups ? [textOf(group)] : []),
      date.slice(0, 16),
      ...values.map(({ count }, at) =>
        at === 0 ? String(count) : `${count} (${shareOf(count, values[0]!.count)})`,
      ),
    ]);
  return csvText([header, ...rows]);
}

interface Edge {
  source: string;
  target: string;
  value: number;
}

function pathsText(edges: readonly Edge[]): string {
  return barsText(
    edges.slice(0, MAX_ROWS).map(({ source, target, value }) => ({ name: `${source} → ${target}`, value })),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExactly(value ?? null);
}

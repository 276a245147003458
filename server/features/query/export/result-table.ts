/** An answer as a table: names of columns, and rows of values. */
export interface ResultTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The answer of an insight as a table: series have a row for each point of time and a column each, retention a row for each
 * beginning, everything else a row for each of its objects, with what is no list and no object in them.
 */
export function resultTable(results: unknown): ResultTable {
  const bins = fieldsOf(results)['bins'];
  if (Array.isArray(bins)) return { names: ['seconds', 'count'], rows: bins as unknown[][] };
  const objects = (Array.isArray(results) ? results.flat() : []).map(fieldsOf);
  if (objects.some(({ data }) => Array.isArray(data) && data.length > 0)) return seriesTable(objects);
  if (objects.some(({ values }) => Array.isArray(values))) return valuesTable(objects);
  const names = [
    ...new Set(objects.flatMap((object) => Object.keys(object).filter((key) => isPlain(object[key])))),
  ];
  return { names, rows: objects.map((object) => names.map((name) => object[name] ?? null)) };
}

function seriesTable(series: readonly Fields[]): ResultTable {
  const times = listOf(series[0]?.['days'] ?? series[0]?.['labels']);
  const columns = series.map(({ data }) => listOf(data));
  return {
    names: ['date', ...series.map(({ label }, at) => String(label ?? at))],
    rows: times.map((time, at) => [time, ...columns.map((data) => data[at] ?? null)]),
  };
}

function valuesTable(cohorts: readonly Fields[]): ResultTable {
  const counts = cohorts.map(({ values }) => listOf(values).map(fieldsOf));
  const longest = counts.reduce((a, b) => (b.length > a.length ? b : a), []);
  return {
    names: ['date', ...longest.map(({ label }, at) => String(label ?? at))],
    rows: cohorts.map(({ date }, row) => [
      date,
      ...longest.map((_, at) => counts[row]![at]?.['count'] ?? null),
    ]),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

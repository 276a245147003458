import { conversionBins, funnelLines, vizOf } from './funnels/funnel-course.ts';
import { funnelGroups } from './funnels/funnel-steps.ts';
import type { Question } from './question.ts';
import { placesOf, trendLines } from './trends/trend-lines.ts';

/** An answer as a table: names of columns, and rows of texts and numbers. */
export interface AnswerTable {
  columns: string[];
  rows: (string | number)[][];
}

/** Every number of an answer, whatever its kind, as a table. */
export function tableOf(question: Question, results: unknown): AnswerTable {
  switch (question.kind) {
    case 'FunnelsQuery':
      return funnelTable(question, results);
    case 'RetentionQuery':
      return retentionTable(results);
    case 'PathsQuery':
      return pathsTable(results);
    default:
      return linesTable(question, results);
  }
}

/** Whether every number of an answer is zero, or none is there. */
export function isNothingCounted(question: Question, results: unknown): boolean {
  return tableOf(question, results).rows.every((row) =>
    row.every((value) => typeof value !== 'number' || value === 0),
  );
}

function linesTable(question: Question, results: unknown): AnswerTable {
  const lines = trendLines(results);
  const places = placesOf(lines, question).map(({ long }) => long);
  const columns = ['Series', 'Total', ...places];
  const rows = lines.flatMap(({ name, total, values, before }) => [
    [name, total, ...values],
    ...(before ? [[`${name} (previous)`, before.total, ...before.values]] : []),
  ]);
  return { columns, rows };
}

function funnelTable(question: Question, results: unknown): AnswerTable {
  const viz = vizOf(question);
  if (viz === 'time_to_convert') {
    const rows = conversionBins(results).bins.map(({ from, to, count }) => [from, to, count]);
    return {
      columns: ['From (seconds)', 'To (seconds)', 'Persons'],
      rows: rows.filter(([, , count]) => count !== 0),
    };
  }
  if (viz === 'trends') {
    const lines = funnelLines(results);
    const rows = lines.map(({ name, values }) => [name, ...values]);
    return { columns: ['Breakdown', ...(lines[0]?.days.map(String) ?? [])], rows };
  }
  const rows = funnelGroups(results).flatMap(({ name, steps }) =>
    steps.map((step) => [
      name,
      step.order + 1,
      step.name,
      step.count,
      step.share,
      step.shareOfBefore,
      step.medianSeconds ?? '',
    ]),
  );
  const columns = [
    'Breakdown',
    'Step',
    'Event',
    'Persons',
    'Conversion from first step',
    'Conversion from previous step',
    'Median time (seconds)',
  ];
  return { columns, rows };
}

function retentionTable(results: unknown): AnswerTable {
  const list = (Array.isArray(results) ? results : []) as {
    date: string;
    values: { count: number; label: string }[];
  }[];
  const longest = list.toSorted((a, b) => b.values.length - a.values.length)[0]?.values ?? [];
  return {
    columns: ['Cohort', ...longest.map(({ label }) => label)],
    rows: list.map(({ date, values }) => [date.slice(0, 10), ...values.map(({ count }) => count)]),
  };
}

function pathsTable(results: unknown): AnswerTable {
  const list = (Array.isArray(results) ? results : []) as { source: string; target: string; value: number }[];
  return {
    columns: ['From', 'To', 'Persons'],
    rows: list.map(({ source, target, value }) => [source, target, value]),
  };
}

import { formatNumber } from '../ui/charts/chart-scale.ts';
import { resultsOf, type AnswerJson } from './answer.ts';
import { chartOf, firstChoice } from './hogql/result-chart.ts';
import { columnsOf, rowsOf } from './hogql/result-values.ts';
import { choiceOf, displayOf, sqlOf, type SqlNode } from './hogql/sql-node.ts';
import type { Preview } from './insight-kind.ts';
import { insightQueryOf, kindOf } from './kinds.ts';

/** Rows of SQL that a preview draws. */
const MOST_ROWS = 200;
const MOST_BARS = 12;

/** The result of a stored query in small; `null` where it has none that can be drawn so. */
export function previewOf(query: unknown, answer: AnswerJson): Preview | null {
  const results = resultsOf(answer);
  if (results === null) return null;
  const sql = sqlOf(query);
  if (sql !== null) return sqlPreview(sql, answer);
  const insightQuery = insightQueryOf(query);
  return insightQuery && kindOf(insightQuery).preview(insightQuery, results);
}

function sqlPreview(node: SqlNode, answer: AnswerJson): Preview | null {
  const columns = columnsOf(answer);
  const rows = rowsOf(answer).slice(0, MOST_ROWS);
  const number = columns.find(({ kind }) => kind === 'number');
  if (number === undefined || rows.length === 0) return null;
  if (rows.length === 1 || displayOf(node) === 'BoldNumber')
    return { shape: 'number', values: [], fact: formatNumber(Number(rows[0]![number.at])) };
  const choice = choiceOf(node, columns) ?? firstChoice(columns);
  if (choice === null) return null;
  const { kind, series } = chartOf(rows, columns, choice);
  const values = (series[0]?.values ?? []).map((value) => value ?? 0);
  if (kind === 'line') return { shape: 'line', values, fact: '' };
  return { shape: 'bars', values: values.slice(0, MOST_BARS), fact: '' };
}

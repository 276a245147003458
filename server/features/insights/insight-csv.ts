import { stringify } from 'csv-stringify/sync';
import { resultTable } from '../query/index.ts';
import type { InsightJson } from './insights.contract.ts';

/**
 * What an insight answers as CSV: the rows of SQL and tables under their columns, of a chart its numbers. A text that a
 * spreadsheet would run as a formula gets a leading quote.
 */
export function insightCsv({ result, columns }: Pick<InsightJson, 'result' | 'columns'>): string {
  const { names, rows } =
    columns !== null && Array.isArray(result)
      ? { names: columns, rows: result as unknown[][] }
      : resultTable(result);
  const cast = { boolean: String, object: (value: object) => JSON.stringify(value) };
  return stringify([[...names], ...rows.map((row) => [...row])], { escape_formulas: true, cast });
}

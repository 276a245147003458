import { cellText, typeWord, type ResultColumn, type ResultRow } from './result-values.ts';

/** Rows that are looked at; a table need not read all to be drawn. */
const SAMPLE = 100;
const LETTER = 7.4;
const HEAD_LETTER = 6.6;
const AROUND = 26;
const LEAST = 64;
const MOST = 340;

/** Widths in pixels that the head and the first rows fit into, within bounds. */
export function columnWidths(columns: readonly ResultColumn[], rows: readonly ResultRow[]): number[] {
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    const head = (column.name.length + typeWord(column.type).length + 1) * HEAD_LETTER;
    const widest = sample.reduce((most, row) => Math.max(most, cellText(row[column.at], column).length), 0);
    const width = Math.max(head, widest * LETTER) + AROUND;
    return Math.round(Math.min(MOST, Math.max(LEAST, width)));
  });
}

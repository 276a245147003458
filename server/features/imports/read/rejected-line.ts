import { csvLine, REASON_COLUMN } from './csv.ts';
import type { FileForm, SourceRow } from './rows.ts';

type Form = Pick<FileForm, 'kind' | 'columns' | 'separator'>;

/** The first line of the file of rows that were not taken; empty where its form has none. */
export function rejectedHeader(form: Form): string {
  return form.kind === 'csv' ? csvLine([...ownColumns(form), REASON_COLUMN], form.separator!) : '';
}

/** A row as it was, to be mended; with the reason where its form has a place for it. */
export function rejectedLine(row: SourceRow, reason: string, form: Form): string {
  const { text, fields, problem } = row;
  if (form.kind !== 'csv') return problem === undefined ? refusedLine(text!, reason, form) : lineOf(text!);
  // A row of another length is kept as it is.
  if (fields !== undefined && fields.length > form.columns.length)
    return csvLine([...fields, reason], form.separator!);
  return refusedLine(keptText(row, form), reason, form);
}

/** What is kept of a row until its events are stored. */
export function keptText({ text, value }: SourceRow, form: Form): string {
  if (form.kind !== 'csv') return text!;
  return JSON.stringify(ownColumns(form).map((column) => String(value[column] ?? '')));
}

/** The line of a row of which `keptText` was kept. */
export function refusedLine(kept: string, reason: string, form: Form): string {
  if (form.kind === 'csv') return csvLine([...(JSON.parse(kept) as string[]), reason], form.separator!);
  if (form.kind === 'lines' || !kept.trimEnd().endsWith('}')) return lineOf(kept);
  const inside = lineOf(kept).trim().slice(0, -1).trimEnd();
  const comma = inside.endsWith('{') ? '' : ',';
  return `${inside}${comma}${JSON.stringify(REASON_COLUMN)}:${JSON.stringify(reason)}}\n`;
}

function lineOf(text: string): string {
  return `${text.replaceAll(/\r?\n/g, ' ')}\n`;
}

/** A file of rows that were not taken may be mended and imported with its reasons. */
function ownColumns({ columns }: Form): string[] {
  return columns.filter((column) => column !== REASON_COLUMN);
}

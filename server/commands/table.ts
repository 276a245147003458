import { counted, fitted, padded, shown, styled, widthOf } from './terminal.ts';

const GAP = '  ';
const MIN_COLUMNS = 6;

interface Answer {
  columns: readonly string[];
  results: readonly (readonly unknown[])[];
}

/** A table as wide as the terminal; where its columns do not fit next to each other, each row as a list. */
export function tableText({ columns, results }: Answer, available: number, isColored: boolean): string {
  const names = columns.map(shown);
  const cells = results.map((row) => row.map((value) => cellText(value)));
  const rows = `${counted(results.length, 'row')}\n`;
  if (names.length * (MIN_COLUMNS + GAP.length) > available)
    return listText(names, cells, available, isColored) + rows;
  const natural = names.map((name, at) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[at]!)), widthOf(name)),
  );
  const widths = narrowed(natural, available - GAP.length * (names.length - 1));
  const isNumber = names.map(
    (_, at) => results.length > 0 && results.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => padded(fitted(cell, widths[at]!), widths[at]!, isNumber[at] ? 'right' : 'left'))
      .join(GAP)
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  return [
    styled('bold', line(names), isColored),
    styled('dim', rule, isColored),
    ...cells.map(line),
    styled('dim', rows, isColored),
  ].join('\n');
}

/** Takes from the widest columns until all fit. */
function narrowed(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  let surplus = widths.reduce((sum, width) => sum + width, 0) - available;
  while (surplus > 0) {
    const widest = Math.max(...widths);
    const second = Math.max(MIN_COLUMNS, ...widths.filter((width) => width < widest));
    const all = widths.flatMap((width, at) => (width === widest ? [at] : []));
    const each = Math.min(widest - second, Math.ceil(surplus / all.length));
    if (each <= 0) break;
    for (const at of all) widths[at]! -= each;
    surplus -= each * all.length;
  }
  return widths;
}

function listText(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  available: number,
  isColored: boolean,
): string {
  const left = Math.min(Math.max(...names.map(widthOf)), Math.floor(available / 3));
  return rows
    .map((row) =>
      names
        .map((name, at) => {
          const label = styled('bold', padded(fitted(name, left), left), isColored);
          return `${label}${GAP}${fitted(row[at]!, Math.max(available - left - GAP.length, MIN_COLUMNS))}\n`;
        })
        .join(''),
    )
    .concat('')
    .join('\n');
}

function cellText(value: unknown): string {
  return shown(typeof value === 'string' ? value : JSON.stringify(value));
}

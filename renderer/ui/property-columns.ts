import type { TableColumn } from './data-table.ts';

/** Keeps the columns of properties apart from the fixed ones. */
const PREFIX = 'property:';

/** Whether a column shows a property; its label is the property's name. */
export function isPropertyColumn({ id }: TableColumn): boolean {
  return id.startsWith(PREFIX);
}

/**
 * Columns of properties, the first one shown on every screen. A column whose values in these rows are all numbers is
 * right-aligned.
 */
export function propertyColumns(
  keys: readonly string[],
  rows: readonly Record<string, unknown>[],
): TableColumn[] {
  return keys.map((key, place) => {
    const values = rows.map((row) => row[key]).filter((value) => value !== undefined);
    const areNumbers = values.length > 0 && values.every((value) => typeof value === 'number');
    const column: TableColumn = { id: `${PREFIX}${key}`, label: key, width: areNumbers ? '112px' : '136px' };
    if (areNumbers) column.align = 'right';
    if (place > 0) column.from = place > 1 ? 'wide' : 'medium';
    return column;
  });
}

/** The names of properties that most rows have, without SDKs' own and without `omitted`; the most frequent first. */
export function frequentProperties(
  rows: readonly Record<string, unknown>[],
  omitted: (key: string) => boolean,
): string[] {
  const counts = new Map<string, number>();
  for (const key of rows.flatMap((row) => Object.keys(row))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .filter(([key]) => !key.startsWith('$') && !omitted(key))
    .toSorted((a, b) => b[1] - a[1])
    .map(([key]) => key);
}

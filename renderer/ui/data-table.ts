import type { Ref } from 'vue';

/** A column of a `DataTable`. Its cells are the slot of the same name as its `id`. */
export interface TableColumn {
  id: string;
  label: string;
  /** What its cells are, is plain: the label is only read out. */
  isLabelHidden?: boolean;
  /** A CSS length; without it the column shares what is left. */
  width?: string;
  /** Numbers stand right. */
  align?: 'left' | 'right';
  /** Shown from this width on: `small` is 560 px, `medium` 900 px, `wide` 1240 px. */
  from?: 'small' | 'medium' | 'wide';
  isSortable?: boolean;
}

export interface TableSort {
  columnId: string;
  isDescending: boolean;
}

/** What a list lets the keyboard do; `useListKeys` presses these. */
export interface ListHandle {
  /** Moves the keyboard's row by so many rows and gives it the focus. */
  move(step: number): void;
  /** Opens the keyboard's row. */
  openActive(): void;
  /** Picks the keyboard's row, or unpicks it. */
  pickActive(): void;
}

/** What a screen's own table exposes: the handle of the `DataTable` inside of it. */
export function listThrough(table: Readonly<Ref<ListHandle | null>>): ListHandle {
  return {
    move: (step) => table.value?.move(step),
    openActive: () => table.value?.openActive(),
    pickActive: () => table.value?.pickActive(),
  };
}

/** The index that a step leads to, kept within the list; a first step leads to the first row. -1 for an empty list. */
export function stepFrom(index: number, step: number, count: number): number {
  if (count === 0) return -1;
  if (index === -1) return step > 0 ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, index + step));
}

/** The picked keys after one was clicked; with Shift everything from the row clicked before follows it. */
export function pickKeys(
  keys: readonly string[],
  picked: ReadonlySet<string>,
  clicked: { key: string; from: string | null; isRange: boolean },
): ReadonlySet<string> {
  const next = new Set(picked);
  const isPicked = !picked.has(clicked.key);
  const start = clicked.from === null ? -1 : keys.indexOf(clicked.from);
  const end = keys.indexOf(clicked.key);
  const range =
    clicked.isRange && start !== -1
      ? keys.slice(Math.min(start, end), Math.max(start, end) + 1)
      : [clicked.key];
  for (const key of range) {
    if (isPicked) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** The order that a text describes: the ID of one of these columns, with `-` for descending; `null` for another text. */
export function readSort(text: unknown, columns: object): TableSort | null {
  if (typeof text !== 'string') return null;
  const columnId = text.replace(/^-/, '');
  return Object.hasOwn(columns, columnId) ? { columnId, isDescending: text.startsWith('-') } : null;
}

/** The text of an order, as `readSort` reads it. */
export function writeSort({ columnId, isDescending }: TableSort): string {
  return `${isDescending ? '-' : ''}${columnId}`;
}

/** How a click on a column's head changes the order: first descending, then ascending. */
export function nextSort(sort: TableSort | null | undefined, columnId: string): TableSort {
  return { columnId, isDescending: sort?.columnId === columnId ? !sort.isDescending : true };
}

/** The classes of a column's cells and of its head. */
export function columnClass(column: TableColumn): (string | undefined)[] {
  return [column.align, column.from && `from-${column.from}`];
}

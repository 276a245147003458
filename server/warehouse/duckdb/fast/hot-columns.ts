import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../../db/resources.ts';
import { inTransaction } from '../../../db/in-transaction.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { requestErasure } from '../erasure-requests.ts';
import type { MaintenanceTask, MaintenanceContext } from '../maintenance-task.ts';
import { propertyPointer } from '../promoted-properties.ts';
import type { TableWriteLock } from '../table-write-lock.ts';
import { ROW_GROUP_ROWS } from '../table-rewrite.ts';
import { NUMBER_PATTERN } from '../../../lib/number-text.ts';

/** An event property as queries read it: as its JSON text, or as a number. */
export interface HotProperty {
  readonly name: string;
  readonly type: 'String' | 'Float64';
}

/** A column of `events` that holds such a property in every row. */
export interface HotColumn extends HotProperty {
  readonly column: string;
}

/** A column in the file; until it is filled, queries read the JSON instead. */
interface StoredHotColumn extends HotColumn {
  readonly isFilled: boolean;
  readonly asked: number;
}

/** Properties with longer names, or names that a statement cannot carry, get no column. */
const NAME_LIMIT = 400;

function canBeHot({ name }: HotProperty): boolean {
  return name.length <= NAME_LIMIT && !name.includes('\0') && name.isWellFormed();
}

/** A unique key per column. */
export function hotKey({ name, type }: HotProperty): string {
  return `${type} ${name}`;
}

/** SQL for the column's value, given SQL for the property's text. Queries use the same for recent rows. */
export function hotValue({ type }: HotProperty, text: string): string {
  return type === 'String' ? text : `TRY_CAST(regexp_extract(${text}, '^${NUMBER_PATTERN}$') AS DOUBLE)`;
}

/** All columns of the file, filled or not. */
async function readHotColumns(connection: DuckDBConnection): Promise<StoredHotColumn[]> {
  const found = await connection.runAndReadAll(
    'SELECT column_name, name, type, is_filled, asked FROM hot_columns ORDER BY length(column_name), column_name',
  );
  return found.getRows().map(([column, name, type, isFilled, asked]) => ({
    column: column as string,
    name: name as string,
    type: type as HotProperty['type'],
    isFilled: isFilled as boolean,
    asked: asked as number,
  }));
}

/** How often properties are queried, with exponential decay: the half-life is one day. */
interface PropertyUsage {
  add(property: HotProperty, times: number): void;
  of(property: HotProperty): number;
  /** Used properties, most used first. */
  byUsage(): (HotProperty & { uses: number })[];
}

const HALF_LIFE_MS = 86_400_000;
/** Beyond this many properties the less used half is dropped. */
const MAX_PROPERTIES = 2_000;

/** `now` in Unix milliseconds. */
function createPropertyUsage(now: () => number): PropertyUsage {
  const usage = new Map<string, HotProperty & { uses: number }>();
  let since = now();

  function cool(): void {
    const halvings = Math.floor((now() - since) / HALF_LIFE_MS);
    if (halvings <= 0) return;
    since += halvings * HALF_LIFE_MS;
    for (const [key, { name, type, uses }] of usage)
      usage.set(key, { name, type, uses: uses / 2 ** halvings });
  }

  function byUsage(): (HotProperty & { uses: number })[] {
    cool();
    return [...usage.values()].sort((a, b) => b.uses - a.uses);
  }

  return {
    add({ name, type }, times) {
      if (!canBeHot({ name, type })) return;
      cool();
      const key = hotKey({ name, type });
      usage.set(key, { name, type, uses: (usage.get(key)?.uses ?? 0) + times });
      if (usage.size > MAX_PROPERTIES)
        for (const cold of byUsage().slice(MAX_PROPERTIES / 2)) usage.delete(hotKey(cold));
    },
    of(property) {
      cool();
      return usage.get(hotKey(property))?.uses ?? 0;
    },
    byUsage: byUsage,
  };
}

/** Maximum number of hot columns. */
export const HOT_COLUMNS = 30;
/** Maximum milliseconds per maintenance run. */
const QUIET_MS = 5_000;
const LOADED_MS = 500;
/** Row groups filled between two checkpoints; new values stay in memory and in the log until then. */
const STEPS_PER_CHECKPOINT = 4;
/** A column is replaced by a property that is used this many times as often. */
const REPLACE_RATIO = 2;
/** Longer than any running statement that may still reference a removed column. */
const DROP_DELAY_MS = 900_000;

export interface HotColumns extends MaintenanceTask {
  /** Counts the properties that a query has read. */
  recordUse(properties: readonly HotProperty[]): void;
  /** The columns that queries can read now; the same array until it changes. */
  filled(): readonly HotColumn[];
  /** Every column, filled or not: compaction fills all of them. */
  all(): readonly HotColumn[];
}

export interface HotColumnsOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writeLock: TableWriteLock;
  resources: Pick<Resources, 'whileMoving'>;
  /** Called when the list of readable columns changes. */
  onFilled: () => void;
  clock: Clock;
  log: Log;
}

/** A column being filled: the next row, and the steps since the last checkpoint. */
interface Filling {
  readonly column: HotColumn;
  next: number;
  steps: number;
}

/**
 * Maintains columns of `events` for the most queried properties, in the background. Existing rows are filled one row
 * group at a time, rows from compaction as they are moved, and the rest at the end; only then do queries read the
 * column. A column that was unfinished when the process ended is filled again from the beginning.
 */
export async function openHotColumns(options: HotColumnsOptions): Promise<HotColumns> {
  const { connection, writeLock, clock, log } = options;
  const usage = createPropertyUsage(clock);
  let columns: StoredHotColumn[] = await readHotColumns(connection);
  let filled: readonly HotColumn[] = columns.filter(({ isFilled }) => isFilled);
  let lastNumber = columns.reduce((last, { column }) => Math.max(last, Number(column.slice(2))), 0);
  let filling: Filling | null = null;
  let isNew = true;
  /** Value of `writeLock.completed` when the properties were last checked; nothing was deleted until it changes. */
  let checkedAt = -1;
  /** Removed columns, with the time after which no statement reads them. */
  const leaving = new Map<string, number>();
  for (const column of columns) usage.add(column, column.asked);

  function staying(): StoredHotColumn[] {
    return columns.filter(({ column }) => !leaving.has(column));
  }

  function changed(next: StoredHotColumn[]): void {
    columns = next;
    filled = staying().filter(({ isFilled }) => isFilled);
    options.onFilled();
  }

  /** Whether events of any project have the property; a mistyped name gets no column. */
  async function isKnown(name: string): Promise<boolean> {
    const found = await connection.runAndReadAll(
      `SELECT 1 FROM property_definitions WHERE type = 'event' AND name = $name LIMIT 1`,
      { name },
    );
    return found.currentRowCount > 0;
  }

  /** The most used property without a column, if there is a free column or it should replace another. */
  async function findNextProperty(): Promise<(HotProperty & { uses: number }) | null> {
    const stored = staying();
    const have = new Set(stored.map(hotKey));
    const coldest = stored.length < HOT_COLUMNS ? null : coldestOf(stored);
    const worth = coldest === null ? 0 : usage.of(coldest) * REPLACE_RATIO;
    for (const candidate of usage.byUsage()) {
      if (have.has(hotKey(candidate))) continue;
      if (candidate.uses < 1 || candidate.uses <= worth) return null;
      if (!(await isKnown(candidate.name))) continue;
      if (coldest !== null) await leave(coldest);
      return candidate;
    }
    return null;
  }

  function coldestOf(stored: readonly StoredHotColumn[]): StoredHotColumn {
    return stored.reduce((coldest, next) => (usage.of(next) < usage.of(coldest) ? next : coldest));
  }

  async function leave(column: StoredHotColumn): Promise<void> {
    await connection.run('UPDATE hot_columns SET is_filled = false WHERE column_name = $column', {
      column: column.column,
    });
    leaving.set(column.column, clock() + DROP_DELAY_MS);
    if (filling?.column.column === column.column) filling = null;
    changed(columns.map((other) => (other === column ? { ...other, isFilled: false } : other)));
  }

  /** Drops columns whose property no longer exists in any project. */
  async function dropUnused(): Promise<void> {
    if (writeLock.completed === checkedAt) return;
    checkedAt = writeLock.completed;
    for (const column of staying()) if (!(await isKnown(column.name))) await leave(column);
  }

  async function drop({ column, name }: HotColumn): Promise<void> {
    const isForgotten = !(await isKnown(name));
    await writeLock.run(() =>
      inTransaction(connection, async () => {
        if (isForgotten) await requestErasure(connection, clock());
        await connection.run(`ALTER TABLE events DROP COLUMN ${column}`);
        await connection.run('DELETE FROM hot_columns WHERE column_name = $column', { column });
      }),
    );
    leaving.delete(column);
    changed(columns.filter((other) => other.column !== column));
  }

  async function add({ name, type, uses }: HotProperty & { uses: number }): Promise<HotColumn> {
    const column = `p_${++lastNumber}`;
    await writeLock.run(() =>
      inTransaction(connection, async () => {
        await connection.run(
          `ALTER TABLE events ADD COLUMN ${column} ${type === 'String' ? 'VARCHAR' : 'DOUBLE'}`,
        );
        await connection.run('INSERT INTO hot_columns VALUES ($column, $name, $type, false, $asked)', {
          column,
          name,
          type,
          asked: uses,
        });
      }),
    );
    const added = { column, name, type, isFilled: false, asked: uses };
    changed([...columns, added]);
    return added;
  }

  /** Fills one row group; true when none was left. */
  async function fillStep(state: Filling): Promise<boolean> {
    const { column, next } = state;
    const text = 'json_extract_string(properties, $pointer)';
    const last = next + ROW_GROUP_ROWS - 1;
    const rows = await writeLock.run(async () => {
      await connection.run(
        `UPDATE events SET ${column.column} = ${hotValue(column, text)} WHERE rowid BETWEEN ${next} AND ${last}`,
        { pointer: propertyPointer(column.name) },
      );
      return await connection.runAndReadAll(`SELECT coalesce(max(rowid), -1)::DOUBLE FROM events`);
    });
    state.next = last + 1;
    state.steps++;
    return (rows.value(0, 0) as number) <= last;
  }

  /**
   * Fills rows that moved during the steps (a checkpoint closes gaps of deleted rows) and marks the column as filled.
   */
  async function finish({ column }: Filling): Promise<void> {
    const value = hotValue(column, 'json_extract_string(properties, $pointer)');
    await writeLock.run(() =>
      inTransaction(connection, async () => {
        await connection.run(
          `UPDATE events SET ${column.column} = ${value} WHERE ${column.column} IS NULL AND ${value} IS NOT NULL`,
          { pointer: propertyPointer(column.name) },
        );
        await connection.run('UPDATE hot_columns SET is_filled = true WHERE column_name = $column', {
          column: column.column,
        });
      }),
    );
    changed(columns.map((other) => (other.column === column.column ? { ...other, isFilled: true } : other)));
    log.info({ column: column.column, type: column.type }, 'A property that is asked for has a column now');
  }

  /** Resumes the work of the previous process: unfinished columns are filled, surplus columns are removed. */
  async function resume(): Promise<void> {
    isNew = false;
    while (columns.length > HOT_COLUMNS) await drop(columns.find(({ isFilled }) => !isFilled) ?? columns[0]!);
  }

  async function nextFilling(): Promise<Filling | null> {
    const waiting = staying().find(({ isFilled }) => !isFilled);
    if (waiting !== undefined) return { column: waiting, next: 0, steps: 0 };
    const next = await findNextProperty();
    return next === null ? null : { column: await add(next), next: 0, steps: 0 };
  }

  async function fill(state: Filling, context: MaintenanceContext, ends: number): Promise<void> {
    let isLast = false;
    while (!isLast && !context.isClosing && performance.now() < ends) {
      isLast = await fillStep(state);
      if (state.steps % STEPS_PER_CHECKPOINT === 0) await context.checkpoint(async () => undefined);
    }
    if (!isLast || context.isClosing) return;
    await finish(state);
    filling = null;
  }

  return {
    recordUse(properties) {
      for (const property of properties) usage.add(property, 1);
    },
    filled: () => filled,
    all: () => columns,
    async run(context) {
      if (isNew) await resume();
      await dropUnused();
      for (const column of columns)
        if ((leaving.get(column.column) ?? Infinity) <= clock()) await drop(column);
      const ends = performance.now() + (context.isQuiet ? QUIET_MS : LOADED_MS);
      while (!context.isClosing && performance.now() < ends) {
        const state = (filling ??= await nextFilling());
        if (state === null) return;
        await options.resources.whileMoving(() => fill(state, context, ends));
      }
    },
    async close() {
      for (const column of columns)
        await connection.run('UPDATE hot_columns SET asked = $asked WHERE column_name = $column', {
          asked: usage.of(column),
          column: column.column,
        });
      connection.closeSync();
    },
  };
}

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import {
  hotKey,
  hotValue,
  readHotColumns,
  type HotColumn,
  type HotProperty,
  type StoredHotColumn,
} from './hot-column.ts';
import { requestErasure } from './erasures.ts';
import { createHotHeat } from './hot-heat.ts';
import type { MaintenanceTask, MaintenanceTurn } from './maintenance-task.ts';
import { propertyPointer } from './promoted-properties.ts';
import type { RowTurns } from './row-turns.ts';
import { ROW_GROUP_ROWS } from './table-rewrite.ts';

/** Columns at most, beside those that every file has. */
export const HOT_COLUMNS = 30;
/** Milliseconds of one look that filling takes at most. */
const QUIET_MS = 5_000;
const LOADED_MS = 500;
/** Row groups filled between two checkpoints: their new values stand in memory and in the log until then. */
const STEPS_PER_CHECKPOINT = 4;
/** A column leaves for a property that is asked for so many times as often. */
const TIMES_HOTTER = 2;
/** Longer than any statement that may still name a column which is no longer told. */
const LEAVES_AFTER_MS = 900_000;

export interface HotColumns extends MaintenanceTask {
  /** Counts what a question has read. */
  asked(properties: readonly HotProperty[]): void;
  /** What questions may read now. The same list until it changes. */
  filled(): readonly HotColumn[];
  /** What a row that moves into `events` must fill: every column, filled or not. */
  all(): readonly HotColumn[];
}

export interface HotColumnsOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  turns: RowTurns;
  resources: Pick<Resources, 'whileMoving'>;
  /** Told when questions may read others than before. */
  onFilled: () => void;
  clock: Clock;
  log: Log;
}

/** A column being filled: the first row that has not had its turn, and the steps since the last checkpoint. */
interface Filling {
  readonly column: HotColumn;
  next: number;
  steps: number;
}

/**
 * Gives the properties that questions ask for most a column of `events`, in the background. Its rows are filled a row
 * group at a time, those that compaction brings meanwhile as they move, and what slipped through in the end; only then
 * questions read it. What was not finished when the process ended is filled from the beginning by the next one.
 */
export async function openHotColumns(options: HotColumnsOptions): Promise<HotColumns> {
  const { connection, turns, clock, log } = options;
  const heat = createHotHeat(clock);
  let columns: StoredHotColumn[] = await readHotColumns(connection);
  let filled: readonly HotColumn[] = columns.filter(({ isFilled }) => isFilled);
  let lastNumber = columns.reduce((last, { column }) => Math.max(last, Number(column.slice(2))), 0);
  let filling: Filling | null = null;
  let isNew = true;
  /** Turns that had ended when every column's property was known: until the next one nothing is deleted. */
  let lookedAt = -1;
  /** Columns that are no longer told, with the moment when nobody reads them any more. */
  const leaving = new Map<string, number>();
  for (const column of columns) heat.add(column, column.asked);

  function staying(): StoredHotColumn[] {
    return columns.filter(({ column }) => !leaving.has(column));
  }

  function changed(next: StoredHotColumn[]): void {
    columns = next;
    filled = staying().filter(({ isFilled }) => isFilled);
    options.onFilled();
  }

  /** Whether any project's events have the property: what somebody has mistyped gets no column. */
  async function isKnown(name: string): Promise<boolean> {
    const found = await connection.runAndReadAll(
      `SELECT 1 FROM property_definitions WHERE type = 'event' AND name = $name LIMIT 1`,
      { name },
    );
    return found.currentRowCount > 0;
  }

  /** The hottest property without a column, when there is room for it or it is worth the place of another. */
  async function findNext(): Promise<(HotProperty & { asked: number }) | null> {
    const stored = staying();
    const have = new Set(stored.map(hotKey));
    const coldest = stored.length < HOT_COLUMNS ? null : coldestOf(stored);
    const worth = coldest === null ? 0 : heat.of(coldest) * TIMES_HOTTER;
    for (const candidate of heat.hottest()) {
      if (have.has(hotKey(candidate))) continue;
      if (candidate.asked < 1 || candidate.asked <= worth) return null;
      if (!(await isKnown(candidate.name))) continue;
      if (coldest !== null) await leave(coldest);
      return candidate;
    }
    return null;
  }

  function coldestOf(stored: readonly StoredHotColumn[]): StoredHotColumn {
    return stored.reduce((coldest, next) => (heat.of(next) < heat.of(coldest) ? next : coldest));
  }

  async function leave(column: StoredHotColumn): Promise<void> {
    await connection.run('UPDATE hot_columns SET is_filled = false WHERE column_name = $column', {
      column: column.column,
    });
    leaving.set(column.column, clock() + LEAVES_AFTER_MS);
    if (filling?.column.column === column.column) filling = null;
    changed(columns.map((other) => (other === column ? { ...other, isFilled: false } : other)));
  }

  /** Lets go of columns whose property no project has any more, and of its name. */
  async function leaveUnknown(): Promise<void> {
    if (turns.ended === lookedAt) return;
    lookedAt = turns.ended;
    for (const column of staying()) if (!(await isKnown(column.name))) await leave(column);
  }

  async function drop({ column, name }: HotColumn): Promise<void> {
    const isForgotten = !(await isKnown(name));
    await turns.take(() =>
      inTransaction(connection, async () => {
        if (isForgotten) await requestErasure(connection, clock());
        await connection.run(`ALTER TABLE events DROP COLUMN ${column}`);
        await connection.run('DELETE FROM hot_columns WHERE column_name = $column', { column });
      }),
    );
    leaving.delete(column);
    changed(columns.filter((other) => other.column !== column));
  }

  async function add({ name, type, asked }: HotProperty & { asked: number }): Promise<HotColumn> {
    const column = `p_${++lastNumber}`;
    await turns.take(() =>
      inTransaction(connection, async () => {
        await connection.run(
          `ALTER TABLE events ADD COLUMN ${column} ${type === 'String' ? 'VARCHAR' : 'DOUBLE'}`,
        );
        await connection.run('INSERT INTO hot_columns VALUES ($column, $name, $type, false, $asked)', {
          column,
          name,
          type,
          asked,
        });
      }),
    );
    const added = { column, name, type, isFilled: false, asked };
    changed([...columns, added]);
    return added;
  }

  /** Fills the rows of one row group; true when there was none left. */
  async function fillStep(state: Filling): Promise<boolean> {
    const { column, next } = state;
    const text = 'json_extract_string(properties, $pointer)';
    const last = next + ROW_GROUP_ROWS - 1;
    const rows = await turns.take(async () => {
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

  /** Fills what changed its place under the steps (a checkpoint closes the gaps of deleted rows), and counts it as filled. */
  async function finish({ column }: Filling): Promise<void> {
    const value = hotValue(column, 'json_extract_string(properties, $pointer)');
    await turns.take(() =>
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

  /** What the process before has not finished: columns to be filled go on, and those beyond the number leave at once. */
  async function resume(): Promise<void> {
    isNew = false;
    while (columns.length > HOT_COLUMNS) await drop(columns.find(({ isFilled }) => !isFilled) ?? columns[0]!);
  }

  async function nextFilling(): Promise<Filling | null> {
    const waiting = staying().find(({ isFilled }) => !isFilled);
    if (waiting !== undefined) return { column: waiting, next: 0, steps: 0 };
    const next = await findNext();
    return next === null ? null : { column: await add(next), next: 0, steps: 0 };
  }

  async function fill(state: Filling, turn: MaintenanceTurn, ends: number): Promise<void> {
    let isLast = false;
    while (!isLast && !turn.isClosing && performance.now() < ends) {
      isLast = await fillStep(state);
      if (state.steps % STEPS_PER_CHECKPOINT === 0) await turn.checkpoint(async () => undefined);
    }
    if (!isLast || turn.isClosing) return;
    await finish(state);
    filling = null;
  }

  return {
    asked(properties) {
      for (const property of properties) heat.add(property, 1);
    },
    filled: () => filled,
    all: () => columns,
    async run(turn) {
      if (isNew) await resume();
      await leaveUnknown();
      for (const column of columns)
        if ((leaving.get(column.column) ?? Infinity) <= clock()) await drop(column);
      const ends = performance.now() + (turn.isQuiet ? QUIET_MS : LOADED_MS);
      while (!turn.isClosing && performance.now() < ends) {
        const state = (filling ??= await nextFilling());
        if (state === null) return;
        await options.resources.whileMoving(() => fill(state, turn, ends));
      }
    },
    async close() {
      for (const column of columns)
        await connection.run('UPDATE hot_columns SET asked = $asked WHERE column_name = $column', {
          asked: heat.of(column),
          column: column.column,
        });
      connection.closeSync();
    },
  };
}

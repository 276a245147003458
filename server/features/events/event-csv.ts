import { parseExactJson } from '../../http/exact-json.contract.ts';
import { stringify } from 'csv-stringify';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredEventJson } from './events.contract.ts';
import type { EventWithPerson } from './event-row.ts';
import { storedEventOf } from './stored-event.ts';

type Cell = string | number | boolean | null;
type Cells = ReadonlyMap<string, Cell>;

const KEYS = [
  'id',
  'distinct_id',
  'properties',
  'event',
  'timestamp',
  'person',
  'elements',
  'elements_chain',
] as const;
const JSON_KEYS: ReadonlySet<string> = new Set(['properties', 'person', 'elements']);
/** Events that have nothing in common would make a table as wide as it is long; beyond this, objects stay JSON text. */
const MAX_COLUMNS = 2_000;
const MAX_DEPTH = 16;

/** What a CSV shows: the names of its columns, and which events. */
export interface CsvTable {
  columns: readonly string[];
  /** Their ids: those that arrive while it is written have no columns in it. */
  events: ReadonlySet<string>;
  first: EventWithPerson | null;
  last: EventWithPerson | null;
}

/** Finds the columns of at most `limit` events, because the header needs them before the first event. */
export async function tableOf(pieces: AsyncIterable<EventWithPerson[]>, limit: number): Promise<CsvTable> {
  const columns = createColumns();
  const events = new Set<string>();
  let first: EventWithPerson | null = null;
  let last: EventWithPerson | null = null;
  for await (const piece of pieces) {
    for (const row of piece.slice(0, limit - events.size)) {
      columns.add(cellsOf(storedEventOf(row)));
      events.add(row.uuid);
      first ??= row;
      last = row;
    }
  }
  const names = columns.names();
  return { columns: names.length > MAX_COLUMNS ? KEYS : names, events, first, last };
}

/**
 * Writes the events of the table as CSV, reading them once more, because kept they would fill the memory: one header
 * row, objects taken apart into columns named by dots and list positions (`properties.plan`, `elements.0.tag_name`). A
 * text that a spreadsheet would run as a formula gets a leading quote.
 */
export async function writeEventsCsv(
  table: CsvTable,
  pieces: AsyncIterable<EventWithPerson[]>,
  out: Writable,
): Promise<void> {
  const lines = stringify({ escape_formulas: true, cast: { boolean: String } });
  await pipeline(Readable.from(recordsOf(table, pieces)), lines, out);
}

async function* recordsOf(
  { columns, events }: CsvTable,
  pieces: AsyncIterable<EventWithPerson[]>,
): AsyncGenerator<Cell[]> {
  yield [...columns];
  for await (const piece of pieces) {
    for (const row of piece) {
      if (!events.has(row.uuid)) continue;
      const event = storedEventOf(row);
      const cells: Cells = columns === KEYS ? new Map(Object.entries(event)) : cellsOf(event);
      yield columns.map((name) => cells.get(name) ?? null);
    }
  }
}

/** Gathers columns; names them in the order of an event's keys, each object's in its place and as they first showed. */
function createColumns(): { add(cells: Cells): void; names(): string[] } {
  const byKey = new Map<string, Set<string>>(KEYS.map((key) => [key, new Set<string>()]));
  return {
    add(cells) {
      for (const name of cells.keys()) byKey.get(name.split('.', 1)[0]!)?.add(name);
    },
    names: () => [...byKey].flatMap(([key, names]) => (names.size === 0 ? [key] : [...names])),
  };
}

function cellsOf(event: StoredEventJson): Cells {
  const cells = new Map<string, Cell>();
  for (const key of KEYS) {
    const text = event[key];
    if (!JSON_KEYS.has(key)) cells.set(key, text);
    else if (text !== '') addCells(cells, key, parseExactJson(text), 0);
  }
  return cells;
}

function addCells(cells: Map<string, Cell>, name: string, value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) {
    cells.set(name, value as Cell);
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 && depth === 0) return;
  if (entries.length === 0 || depth === MAX_DEPTH) {
    cells.set(name, JSON.stringify(value));
    return;
  }
  for (const [key, inner] of entries) addCells(cells, `${name}.${key}`, inner, depth + 1);
}

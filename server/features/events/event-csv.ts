import { stringify } from 'csv-stringify';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredEventJson } from './events.contract.ts';
import type { EventRow } from './event-row.ts';
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

/**
 * Writes at most `limit` events as CSV: one header row, objects taken apart into columns named by dots and list positions
 * (`properties.plan`, `elements.0.tag_name`). A text that a spreadsheet would run as a formula gets a leading quote.
 */
export async function writeEventsCsv(
  pieces: Iterable<EventRow[]> | AsyncIterable<EventRow[]>,
  limit: number,
  out: Writable,
): Promise<void> {
  const rows: EventRow[] = [];
  const columns = createColumns();
  // The header comes first and needs every column: rows are taken apart now and once more when they are written,
  // because kept apart they would take many times their memory.
  for await (const piece of pieces) {
    const wanted = piece.slice(0, limit - rows.length);
    for (const row of wanted) columns.add(cellsOf(storedEventOf(row)));
    rows.push(...wanted);
  }
  const lines = stringify({ escape_formulas: true, cast: { boolean: String } });
  await pipeline(Readable.from(recordsOf(rows, columns.names())), lines, out);
}

function* recordsOf(rows: readonly EventRow[], names: readonly string[]): Generator<Cell[]> {
  const isWide = names.length > MAX_COLUMNS;
  const columns: readonly string[] = isWide ? KEYS : names;
  yield [...columns];
  for (const row of rows) {
    const event = storedEventOf(row);
    const cells: Cells = isWide ? new Map(Object.entries(event)) : cellsOf(event);
    yield columns.map((name) => cells.get(name) ?? null);
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
    else if (text !== '') addCells(cells, key, JSON.parse(text), 0);
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

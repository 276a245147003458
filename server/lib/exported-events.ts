import { stringify } from 'csv-stringify/sync';
import { readIsoDate, type DateSpan } from './iso-date.ts';
import { parseRelativeTime } from './relative-date.contract.ts';

/** Events of one statement: they are sorted in memory. */
const EVENTS_IN_SPAN = 25_000;

/** Columns in HogQL, by their names in PostHog's batch exports. */
const COLUMNS = {
  uuid: 'toString(uuid)',
  event: 'event',
  distinct_id: 'distinct_id',
  person_id: 'toString(person_id)',
  properties: 'properties',
  person_properties: 'person.properties',
  elements_chain: 'elements_chain',
  timestamp: "toTimeZone(timestamp, 'UTC')",
  created_at: "toTimeZone(created_at, 'UTC')",
};
type ExportedColumn = keyof typeof COLUMNS;
export type ExportedEvent = Record<ExportedColumn, string>;

export const EXPORTED_COLUMNS = Object.keys(COLUMNS) as readonly ExportedColumn[];

/** Moments from one to before another, in Unix microseconds, and how many rows have them. */
export interface CountedSpan {
  from: bigint;
  to: bigint;
  count: number;
}

/** Which events are exported. */
export interface ExportedWhich {
  /** Of the placeholder `{events}`; null: all. */
  events: readonly string[] | null;
  /** Events that were received after this Unix microsecond are not among them, so that their number is fixed. */
  receivedUntil: bigint;
}

/** HogQL of the events of a span, the oldest first, or in no order. */
export function exportedEventsQuery(
  which: ExportedWhich,
  span: Omit<CountedSpan, 'count'>,
  order: 'sorted' | 'unsorted',
): string {
  const columns = EXPORTED_COLUMNS.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ');
  const sorted = order === 'sorted' ? 'ORDER BY events.timestamp, events.uuid' : '';
  return `SELECT ${columns} FROM events WHERE ${conditionOf(which, span)} ${sorted}`;
}

/** HogQL of the first and the last moment of the events of a span, as `CountedSpan` has them, and of their number. */
export function exportedBoundsQuery(which: ExportedWhich, span: Omit<CountedSpan, 'count'>): string {
  const micros = (moment: string): string => `toUnixTimestamp64Micro(${moment})`;
  return `SELECT ${micros('min(timestamp)')}, ${micros('max(timestamp)')}, count() FROM events WHERE ${conditionOf(which, span)}`;
}

function conditionOf(
  { events, receivedUntil }: ExportedWhich,
  { from, to }: Omit<CountedSpan, 'count'>,
): string {
  return [
    `events.timestamp >= ${momentText(from)}`,
    `events.timestamp < ${momentText(to)}`,
    `events.created_at <= ${momentText(receivedUntil)}`,
    ...(events === null ? [] : ['event IN {events}']),
  ].join(' AND ');
}

/** A moment in HogQL. */
export function momentText(micros: bigint): string {
  return `fromUnixTimestamp64Micro(${micros})`;
}

/** Of the years 1 to 9999. */
export const ALL_TIME = { from: -62_135_596_800_000_000n, to: 253_402_300_799_999_999n };

/** Halves a span until none has more rows than a statement sorts. */
export async function* shortSpans(
  span: CountedSpan,
  countIn: (from: bigint, to: bigint) => Promise<number>,
): AsyncGenerator<CountedSpan> {
  const { from, to, count } = span;
  if (count === 0) return;
  const middle = (from + to) / 2n;
  if (count <= EVENTS_IN_SPAN || middle === from) return yield span;
  const early = await countIn(from, middle);
  yield* shortSpans({ from, to: middle, count: early }, countIn);
  yield* shortSpans({ from: middle, to, count: count - early }, countIn);
}

/** A day, a time or a relative time such as `-7d`; null: it is none of them. `now` in Unix milliseconds. */
export function readExportTime(text: string, now: number): DateSpan | null {
  const relative = parseRelativeTime(text, now);
  if (relative === null) return readIsoDate(text);
  return { start: relative * 1000, end: Math.floor(relative) * 1000 };
}

/** An event as PostHog's batch exports write it; the properties are the stored text, with all digits of its numbers. */
export function exportedJsonLine(event: ExportedEvent): string {
  const members = EXPORTED_COLUMNS.map((name) => {
    const isObject = name === 'properties' || name === 'person_properties';
    return `${JSON.stringify(name)}:${isObject ? event[name] || '{}' : JSON.stringify(event[name])}`;
  });
  return `{${members.join(',')}}\n`;
}

/** As the server writes CSV: a text that a spreadsheet would run as a formula gets a leading quote. */
export function exportedCsvLine(values: readonly string[]): string {
  return stringify([[...values]], { escape_formulas: true });
}

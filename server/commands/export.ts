import { stringify } from 'csv-stringify/sync';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ConfigError } from '../lib/config-error.ts';
import type { Config } from '../config.ts';
import { readIsoDate } from '../lib/iso-date.ts';
import { parseRelativeTime } from '../lib/relative-date.contract.ts';
import { jsonRows } from './json-rows.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, writeData, type Terminal } from './terminal.ts';
import { checkReplaces, writeWhole } from './whole-file.ts';

/** Events of one request: the server writes them to a file of its own first, and sorts them in memory. */
const EVENTS_IN_SPAN = 25_000;
/** The server's limit of rows in a file. */
const MAX_PARQUET_EVENTS = 10_000_000;

/** Columns by their names in PostHog's batch exports. */
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
type ExportedEvent = Record<keyof typeof COLUMNS, string>;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const SELECTED = NAMES.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ');

/** Events from one moment to before another, in Unix microseconds. */
interface Span {
  from: bigint;
  to: bigint;
  count: number;
}

/** Which events are exported. */
interface Chosen {
  client: ServerClient;
  /** Of the project, without a closing slash. */
  path: string;
  event: string | null;
  /** Events that were received after this Unix microsecond are not among them, so that the number of events is fixed. */
  receivedUntil: bigint;
}

/** Writes the chosen events to a file, or to standard output, and says how many they were. */
export async function exportEvents(config: Config, terminal: Terminal): Promise<void> {
  const { call, dataDir } = config;
  const now = terminal.clock();
  const from = call.from === null ? null : readTime('--from', call.from, now).start;
  const to = call.to === null ? null : readTime('--to', call.to, now).end;
  const { output } = call;
  if (call.format === 'parquet' && output === null && terminal.stdout.isTTY)
    throw new ConfigError('A Parquet file is nothing for a terminal: name a file with --output.');
  if (output !== null) await checkReplaces(output, call.force);
  const client = await signIn(dataDir, terminal);
  try {
    const chosen: Chosen = {
      client,
      path: `/api/projects/${client.projectId(call.project)}`,
      event: call.event,
      receivedUntil: BigInt(now) * 1000n,
    };
    const whole = await spanOf(chosen, from, to);
    const pieces = piecesOf(call.format ?? 'jsonl', chosen, whole);
    if (output === null) for await (const piece of pieces.read()) await writeData(terminal, piece);
    else
      await writeWhole(output, (draft) =>
        pipeline(Readable.from(pieces.read()), createWriteStream(draft, { mode: 0o600 })),
      );
    const place = output === null ? '' : ` to ${output}`;
    terminal.stderr.write(`Exported ${counted(pieces.count, 'event')}${place}.\n`);
  } finally {
    await client.close();
  }
}

/** Throws ConfigError. */
function readTime(option: string, text: string, now: number): { start: number; end: number } {
  const relative = parseRelativeTime(text, now);
  const span =
    relative === null ? readIsoDate(text) : { start: relative * 1000, end: Math.floor(relative) * 1000 };
  if (span !== null) return span;
  throw new ConfigError(
    `${option} must be a day such as 2026-11-20, a time such as 2026-11-20T09:30:00Z, or a relative one such as -7d.`,
  );
}

/** The output in pieces; `count` is known once they are read. */
interface Pieces {
  count: number;
  read(): AsyncIterable<string | Buffer>;
}

function piecesOf(format: string, chosen: Chosen, whole: Span): Pieces {
  if (format === 'parquet') return { count: whole.count, read: () => parquetOf(chosen, whole) };
  const pieces: Pieces = {
    count: 0,
    async *read() {
      if (format === 'csv') yield csvLine(NAMES);
      for await (const event of eventsOf(chosen, whole)) {
        pieces.count++;
        yield format === 'csv' ? csvLine(NAMES.map((name) => event[name])) : jsonLine(event);
      }
    },
  };
  return pieces;
}

async function* parquetOf(chosen: Chosen, whole: Span): AsyncGenerator<Buffer> {
  if (whole.count > MAX_PARQUET_EVENTS)
    throw new CommandError(
      `A Parquet file has at most ${counted(MAX_PARQUET_EVENTS, 'event')}, and these are ${counted(whole.count, 'event')}. Export a shorter time with --from and --to.`,
    );
  for await (const piece of await requestExport(chosen, whole, 'parquet')) yield piece as Buffer;
}

/** Events in the order of their times, a span after the other. */
async function* eventsOf(chosen: Chosen, whole: Span): AsyncGenerator<ExportedEvent> {
  for await (const span of shortSpans(chosen, whole)) {
    const rows = await requestExport(chosen, span, 'json');
    for await (const row of jsonRows(rows)) yield JSON.parse(row) as ExportedEvent;
  }
}

/** Halves a span until none has more events than one request takes. */
async function* shortSpans(chosen: Chosen, span: Span): AsyncGenerator<Span> {
  const { from, to, count } = span;
  if (count === 0) return;
  const middle = (from + to) / 2n;
  if (count <= EVENTS_IN_SPAN || middle === from) return yield span;
  const early = await countIn(chosen, from, middle);
  yield* shortSpans(chosen, { from, to: middle, count: early });
  yield* shortSpans(chosen, { from: middle, to, count: count - early });
}

/** Short spans are sorted; all events of a Parquet file would not fit into the memory that a query may have. */
async function requestExport({ client, path, event, ...chosen }: Chosen, span: Span, format: string) {
  const order = format === 'parquet' ? '' : 'ORDER BY events.timestamp, events.uuid';
  const query = {
    kind: 'HogQLQuery',
    query: `SELECT ${SELECTED} FROM events WHERE ${conditionOf({ ...chosen, event }, span)} ${order}`,
    values: { event },
  };
  return await client.open(`${path}/burrow/query/export/`, { method: 'POST', body: { query, format } });
}

function conditionOf(
  { event, receivedUntil }: Pick<Chosen, 'event' | 'receivedUntil'>,
  { from, to }: Pick<Span, 'from' | 'to'>,
): string {
  const moment = (micros: bigint): string => `fromUnixTimestamp64Micro(${micros})`;
  return [
    `events.timestamp >= ${moment(from)}`,
    `events.timestamp < ${moment(to)}`,
    `events.created_at <= ${moment(receivedUntil)}`,
    ...(event === null ? [] : ['event = {event}']),
  ].join(' AND ');
}

/** Whole numbers beyond 2^53 are texts. */
const whole = z.union([z.string(), z.number()]).transform((value) => BigInt(value));
const bounds = z.object({ results: z.tuple([z.tuple([whole, whole, z.number()])]) });

/** Of the years 1 to 9999. */
const FIRST_MICROSECOND = -62_135_596_800_000_000n;
const LAST_MICROSECOND = 253_402_300_799_999_999n;

/** From the first chosen event to the last, and how many they are. */
async function spanOf(chosen: Chosen, from: number | null, to: number | null): Promise<Span> {
  const [first, last, count] = await boundsOf(chosen, {
    from: from === null ? FIRST_MICROSECOND : BigInt(Math.round(from)),
    to: to === null ? LAST_MICROSECOND : BigInt(Math.round(to)),
  });
  return { from: first, to: last + 1n, count };
}

async function countIn(chosen: Chosen, from: bigint, to: bigint): Promise<number> {
  return (await boundsOf(chosen, { from, to }))[2];
}

async function boundsOf(
  { client, path, ...chosen }: Chosen,
  span: Pick<Span, 'from' | 'to'>,
): Promise<[bigint, bigint, number]> {
  const micros = (moment: string): string => `toUnixTimestamp64Micro(${moment})`;
  const query = {
    kind: 'HogQLQuery',
    query: `SELECT ${micros('min(timestamp)')}, ${micros('max(timestamp)')}, count() FROM events WHERE ${conditionOf(chosen, span)}`,
    values: { event: chosen.event },
  };
  const body = { query, refresh: 'force_blocking' };
  return bounds.parse(await client.json(`${path}/query/`, { method: 'POST', body })).results[0];
}

/** An event as PostHog's batch exports write it; the properties are the stored text, with all digits of its numbers. */
function jsonLine(event: ExportedEvent): string {
  const members = NAMES.map((name) => {
    const isObject = name === 'properties' || name === 'person_properties';
    return `${JSON.stringify(name)}:${isObject ? event[name] || '{}' : JSON.stringify(event[name])}`;
  });
  return `{${members.join(',')}}\n`;
}

/** As the server writes CSV: a text that a spreadsheet would run as a formula gets a leading quote. */
function csvLine(values: readonly string[]): string {
  return stringify([[...values]], { escape_formulas: true });
}

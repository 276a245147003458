import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ConfigError } from '../lib/config-error.ts';
import type { Config } from '../config.ts';
import {
  ALL_TIME,
  EXPORTED_COLUMNS,
  exportedBoundsQuery,
  exportedCsvLine,
  exportedEventsQuery,
  exportedJsonLine,
  readExportTime,
  shortSpans,
  type CountedSpan,
  type ExportedEvent,
  type ExportedWhich,
} from '../lib/exported-events.ts';
import type { DateSpan } from '../lib/iso-date.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { jsonRows } from './json-rows.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, writeData, type Terminal } from './terminal.ts';
import { checkReplaces } from './whole-file.ts';

/** The server's limit of rows in a file. */
const MAX_PARQUET_EVENTS = 10_000_000;

/** Which events are exported, and from where. */
interface Chosen extends ExportedWhich {
  client: ServerClient;
  /** Of the project, without a closing slash. */
  path: string;
}

/** Writes the chosen events to a file, or to standard output, and says how many they were. */
export async function exportEvents(config: Config, terminal: Terminal): Promise<void> {
  const { call, dataDir } = config;
  if (config.argument !== null || call.events !== null)
    throw new ConfigError(
      'A folder, an archive and --events are for export --all. Name a file with --output.',
    );
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
      events: call.event === null ? null : [call.event],
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
export function readTime(option: string, text: string, now: number): DateSpan {
  const span = readExportTime(text, now);
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

function piecesOf(format: string, chosen: Chosen, whole: CountedSpan): Pieces {
  if (format === 'parquet') return { count: whole.count, read: () => parquetOf(chosen, whole) };
  const pieces: Pieces = {
    count: 0,
    async *read() {
      if (format === 'csv') yield exportedCsvLine(EXPORTED_COLUMNS);
      for await (const event of eventsOf(chosen, whole)) {
        pieces.count++;
        yield format === 'csv'
          ? exportedCsvLine(EXPORTED_COLUMNS.map((name) => event[name]))
          : exportedJsonLine(event);
      }
    },
  };
  return pieces;
}

async function* parquetOf(chosen: Chosen, whole: CountedSpan): AsyncGenerator<Buffer> {
  if (whole.count > MAX_PARQUET_EVENTS)
    throw new CommandError(
      `A Parquet file has at most ${counted(MAX_PARQUET_EVENTS, 'event')}, and these are ${counted(whole.count, 'event')}. Export a shorter time with --from and --to.`,
    );
  for await (const piece of await requestExport(chosen, whole, 'parquet')) yield piece as Buffer;
}

/** Events in the order of their times, a span after the other. */
async function* eventsOf(chosen: Chosen, whole: CountedSpan): AsyncGenerator<ExportedEvent> {
  for await (const span of shortSpans(whole, (from, to) => countIn(chosen, from, to))) {
    const rows = await requestExport(chosen, span, 'json');
    for await (const row of jsonRows(rows)) yield JSON.parse(row) as ExportedEvent;
  }
}

/** Short spans are sorted; all events of a Parquet file would not fit into the memory that a query may have. */
async function requestExport(chosen: Chosen, span: CountedSpan, format: string) {
  const query = {
    kind: 'HogQLQuery',
    query: exportedEventsQuery(chosen, span, format === 'parquet' ? 'unsorted' : 'sorted'),
    values: { events: chosen.events },
  };
  const body = { query, format };
  return await chosen.client.open(`${chosen.path}/burrow/query/export/`, { method: 'POST', body });
}

/** Whole numbers beyond 2^53 are texts. */
const whole = z.union([z.string(), z.number()]).transform((value) => BigInt(value));
const bounds = z.object({ results: z.tuple([z.tuple([whole, whole, z.number()])]) });

/** From the first chosen event to the last, and how many they are. */
async function spanOf(chosen: Chosen, from: number | null, to: number | null): Promise<CountedSpan> {
  const [first, last, count] = await boundsOf(chosen, {
    from: from === null ? ALL_TIME.from : BigInt(Math.round(from)),
    to: to === null ? ALL_TIME.to : BigInt(Math.round(to)),
  });
  return { from: first, to: last + 1n, count };
}

async function countIn(chosen: Chosen, from: bigint, to: bigint): Promise<number> {
  return (await boundsOf(chosen, { from, to }))[2];
}

async function boundsOf(
  chosen: Chosen,
  span: Pick<CountedSpan, 'from' | 'to'>,
): Promise<[bigint, bigint, number]> {
  const query = {
    kind: 'HogQLQuery',
    query: exportedBoundsQuery(chosen, span),
    values: { events: chosen.events },
  };
  const body = { query, refresh: 'force_blocking' };
  return bounds.parse(await chosen.client.json(`${chosen.path}/query/`, { method: 'POST', body })).results[0];
}

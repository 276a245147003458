import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { ImportJson } from '../features/imports/index.ts';
import { ConfigError } from '../lib/config-error.ts';
import { COUNTED_IDS } from '../lib/counted-ids.contract.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { importFromHost } from './graduate.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, write, type Terminal } from './terminal.ts';
import { checkReplaces } from './whole-file.ts';

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;
/** Reasons that are printed. */
const SHOWN_REASONS = 10;

const reasons = z.array(z.object({ reason: z.string(), count: z.int(), row: z.int() }));
const job = z.looseObject({
  id: z.string(),
  state: z.enum(['downloading', 'uploaded', 'checking', 'checked', 'running', 'done', 'failed', 'canceled']),
  progress: z.number(),
  seconds_left: z.number().nullable(),
  problem: z.string().nullable(),
  report: z
    .looseObject({
      rows: z.int(),
      events: z.int(),
      distinct_ids: z.int(),
      events_by_place: z.int().default(0),
      known_events: z.int().nullable(),
      rejected: z.int(),
      problems: reasons,
      left_out: reasons,
      names: z.array(z.object({ event: z.string(), count: z.int() })),
      first_event: z.string().nullable(),
      last_event: z.string().nullable(),
    })
    .nullable(),
}) satisfies z.ZodType<Partial<ImportJson>>;
type Job = z.output<typeof job>;
const mappings = z.object({
  results: z.array(z.object({ name: z.string(), settings: z.looseObject({}) })),
});

/** Uploads a file, has its rows become events, and says what became of them. */
export async function importFile(config: Config, terminal: Terminal): Promise<void> {
  const { call, dataDir, json } = config;
  const file = config.argument;
  if (call.fromHost !== null) {
    if (file !== null) throw new ConfigError('import takes a file or --from-host, not both.');
    return await importFromHost(config, terminal);
  }
  if (file === null) throw new ConfigError('import requires the path of a file, or --from-host.');
  const found = await stat(file).catch(() => null);
  if (found === null) throw new CommandError(`${file} does not exist.`);
  if (!found.isFile()) throw new CommandError(`${file} is no file.`);
  if (call.output !== null) await checkReplaces(call.output, call.force);
  const client = await signIn(dataDir, terminal);
  try {
    const path = `/api/projects/${client.projectId(call.project)}/burrow`;
    const settings = {
      ...(call.mapping !== null && (await mappingOf(client, path, call.mapping))),
      ...(call.format !== null && { format: call.format }),
      ...(call.timezone !== null && { time_zone: call.timezone }),
    };
    const { id } = job.parse(await upload(client, path, file, found.size));
    const own = `${path}/imports/${id}/`;
    let ended: Job;
    try {
      const body = { ...settings, dry_run: call.dryRun };
      await client.json(`${own}start/`, { method: 'POST', body });
      ended = await wait(client, own, terminal);
    } catch (error) {
      await client.remove(own);
      throw error;
    }
    try {
      if (call.output !== null && ended.report!.rejected > 0) await saveRejected(client, own, call.output);
    } finally {
      // An import stays: its rows can still be downloaded.
      if (call.dryRun) await client.remove(own);
    }
    if (json) await write(terminal, `${JSON.stringify(ended)}\n`);
    else await write(terminal, textOf(ended, call.dryRun, call.output));
  } finally {
    await client.close();
  }
}

async function upload(client: ServerClient, path: string, file: string, bytes: number): Promise<unknown> {
  const stream = createReadStream(file, { highWaterMark: 1_048_576 });
  const name = encodeURIComponent(basename(file));
  return await client.json(`${path}/imports/?name=${name}`, { method: 'POST', file: { stream, bytes } });
}

/** Settings that were saved with this name, or that a file has. Throws CommandError. */
async function mappingOf(client: ServerClient, path: string, wanted: string): Promise<object> {
  const { results } = mappings.parse(await client.json(`${path}/import_mappings/`));
  const saved = results.find(({ name }) => name === wanted);
  if (saved !== undefined) return saved.settings;
  const text = await readFile(wanted, 'utf8').catch(() => null);
  if (text === null)
    throw new CommandError(
      `There is neither a mapping nor a file named ${wanted}. Mappings: ${results.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${wanted} is no JSON object.`);
  }
}

/** Until it has ended; shows the progress where a person looks. */
async function wait(client: ServerClient, own: string, { stdout, stderr, signal }: Terminal): Promise<Job> {
  const isSeen = stdout.isTTY === true;
  for (;;) {
    const found = job.parse(await client.json(own));
    const { state, progress, report, seconds_left: left, problem } = found;
    if (state === 'failed')
      throw new CommandError(
        `The import ended after ${counted(report?.rows ?? 0, 'row')}: ${problem} Events that are stored stay.`,
      );
    if (state === 'canceled') throw new CommandError('The import was canceled.');
    if (isSeen)
      stderr.write(
        `\r${Math.floor(100 * progress)}%, ${counted(report?.events ?? 0, 'event')}${left === null ? '' : `, ${left} s left`} \u001b[K`,
      );
    if (state === 'done' || state === 'checked') {
      if (isSeen) stderr.write('\r\u001b[K');
      return found;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}

async function saveRejected(client: ServerClient, own: string, output: string): Promise<void> {
  const rows = await client.open(`${own}rejected/`);
  await writeWhole(output, (draft) => pipeline(rows, createWriteStream(draft, { mode: 0o600 })));
}

function textOf({ report }: Job, isDryRun: boolean, output: string | null): string {
  const { rows, events, known_events: known, rejected, problems, left_out: leftOut } = report!;
  const { distinct_ids: ids, events_by_place: byPlace, first_event: first, last_event: last } = report!;
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} ${counted(events, 'event')} of ${ids < COUNTED_IDS ? counted(ids, 'distinct ID') : 'more than 16 million distinct IDs'} from ${counted(rows, 'row')}.`,
  ];
  if (first !== null) lines.push(`From ${first} to ${last}.`);
  if (byPlace > 0)
    lines.push(
      `${counted(byPlace, 'event')} have no ID and were too many to compare: another file counts them again.`,
    );
  if (known !== null && known > 0) lines.push(`${counted(known, 'event')} had been stored before.`);
  for (const { reason, count } of leftOut.slice(0, SHOWN_REASONS))
    lines.push(`Left out: ${shown(reason)} (${count}).`);
  if (rejected > 0) {
    lines.push(`${counted(rejected, 'row')} not imported:`);
    for (const { reason, count, row } of problems.slice(0, SHOWN_REASONS))
      lines.push(`  ${shown(reason)}: ${count}, first in row ${row}`);
    lines.push(
      output === null
        ? 'Write them to a file with --output, mend them, and import that file.'
        : `They are in ${shown(output)}: mend them, and import that file.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

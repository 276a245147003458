import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { ExportJson } from '../features/exports/index.ts';
import { ConfigError } from '../lib/config-error.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { readTime } from './export.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, sizeText, write, type Terminal } from './terminal.ts';
import { checkReplaces } from './whole-file.ts';

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;

const job = z.looseObject({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'canceled']),
  progress: z.number(),
  seconds_left: z.number().nullable(),
  exported_events: z.int(),
  exported_persons: z.int(),
  exported_groups: z.int(),
  bytes: z.int().nullable(),
  problem: z.string().nullable(),
}) satisfies z.ZodType<Partial<ExportJson>>;
type Job = z.output<typeof job>;

/** Writes everything of a project to a ZIP archive or a folder, and says how much it was. */
export async function exportAll(config: Config, terminal: Terminal): Promise<void> {
  const { call, dataDir, argument: target } = config;
  if (target === null)
    throw new ConfigError('export --all requires a folder, or a file that ends with .zip.');
  for (const [option, isGiven] of [
    ['--output', call.output !== null],
    ['--event', call.event !== null],
  ] as const)
    // prettier-ignore
    if (isGiven) throw new ConfigError(`${option} is not for --all.`);
  const now = terminal.clock();
  for (const name of ['from', 'to'] as const) if (call[name] !== null) readTime(`--${name}`, call[name], now);
  const isArchive = target.toLowerCase().endsWith('.zip');
  if (isArchive) await checkReplaces(target, call.force);
  else await checkFolder(target);
  const client = await signIn(dataDir, terminal);
  let own: string | null = null;
  try {
    const path = `/api/projects/${client.projectId(call.project)}/burrow/exports/`;
    const { from, to, events, format } = call;
    const body = { from, to, events, format: format ?? 'jsonl' };
    const { id } = job.parse(await client.json(path, { method: 'POST', body }));
    own = `${path}${id}/`;
    const done = await wait(client, own, terminal);
    const file = await client.open(`${own}file/`);
    const download = (draft: string) => pipeline(file, createWriteStream(draft, { mode: 0o600 }));
    if (isArchive) await writeWhole(target, download);
    else await writeFolder(target, download);
    await write(terminal, `${textOf(done, target)}\n`);
  } finally {
    // Also what was interrupted: the server ends it.
    if (own !== null) await client.remove(own);
    await client.close();
  }
}

async function checkFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${folder} is no folder.`);
  });
  if (names.length > 0) throw new CommandError(`${folder} is not empty. Choose another folder.`);
}

/** The folder gets its name when it is complete. */
async function writeFolder(folder: string, download: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const beside = await mkdtemp(`${folder}.part-`);
  const [archive, draft] = [join(beside, 'export.zip'), join(beside, 'export')];
  try {
    await download(archive);
    await unpack(archive, draft);
    // An empty one; what has come into it meanwhile is not replaced.
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(draft, folder);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function unpack(archive: string, folder: string): Promise<void> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      const path = join(folder, entry.fileName);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { mode: 0o600 }));
    }
  } finally {
    zip.close();
  }
}

/** Until it has ended; shows the progress where a person looks. */
async function wait(client: ServerClient, own: string, { stdout, stderr, signal }: Terminal): Promise<Job> {
  const isSeen = stdout.isTTY === true;
  for (;;) {
    const found = job.parse(await client.json(own));
    const { state, progress, exported_events: events, seconds_left: left, problem } = found;
    if (state === 'failed') throw new CommandError(`Nothing was exported: ${problem}`);
    if (state === 'canceled') throw new CommandError('The export was canceled.');
    if (isSeen) {
      const rest = left === null ? '' : `, ${left} s left`;
      stderr.write(`\r${Math.floor(100 * progress)}%, ${counted(events, 'event')}${rest} \u001b[K`);
    }
    if (state === 'done') {
      if (isSeen) stderr.write('\r\u001b[K');
      return found;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}

function textOf(done: Job, target: string): string {
  const { exported_events: events, exported_persons: persons, exported_groups: groups, bytes } = done;
  const rows = `${counted(events, 'event')}, ${counted(persons, 'person')} and ${counted(groups, 'group')}`;
  return `Exported ${rows} to ${target} (${sizeText(bytes!)} as ZIP).`;
}

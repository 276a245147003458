import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { NotRunningError } from '../console-link.ts';
import { StoreOpenError } from '../db/client.ts';
import { openFilesAside } from '../db/files-aside.ts';
import { OpenFailure } from '../db/open-failure.ts';
import { createBackupFiles } from '../features/backups/index.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { copyStopped } from '../warehouse/duckdb/backup.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, sizeText, write, type Terminal } from './terminal.ts';
import { checkReplaces } from './whole-file.ts';

const BACKUPS = '/api/burrow/backup/';
const created = z.object({ name: z.string(), path: z.string(), bytes: z.number(), events: z.number() });

interface CreatedBackup {
  path: string;
  bytes: number;
  events: number;
}

/** Creates a backup, by the server that runs on the data folder; where none does, of the file. */
export async function backup(config: Config, dataFile: string, terminal: Terminal): Promise<void> {
  const target = config.argument;
  if (target !== null) await checkReplaces(target, config.call.force);
  const client = await signIn(config.dataDir, terminal).catch((error: unknown) => {
    // A run file without its server: the file system says whether another process has the database.
    if (error instanceof NotRunningError) return null;
    throw error;
  });
  const { path, bytes, events } =
    client === null
      ? await backupStopped(config, join(config.dataDir, dataFile), terminal)
      : await backupRunning(client, target);
  await write(terminal, `Created ${path}: ${sizeText(bytes)}, ${counted(events, 'event')}.\n`);
}

/** The server writes it to its folder; a backup with a name of its own is moved from there. */
async function backupRunning(client: ServerClient, target: string | null): Promise<CreatedBackup> {
  let left: string | null = null;
  try {
    const found = created.parse(await client.json(BACKUPS, { method: 'POST' }));
    if (target === null) return found;
    const path = (left = `${BACKUPS}${found.name}/`);
    await writeWhole(target, async (draft) => {
      await pipeline(await client.open(path), createWriteStream(draft, { mode: 0o600 }));
    });
    return { ...found, path: target };
  } finally {
    if (left !== null) await client.remove(left);
    await client.close();
  }
}

async function backupStopped(
  { dataDir, memoryLimit, argument: target }: Config,
  file: string,
  { clock, signal }: Terminal,
): Promise<CreatedBackup> {
  if (!(await stat(file).catch(() => null))?.isFile())
    throw new CommandError(`There is no database to back up: ${file} does not exist.`);
  const files = await openFilesAside(memoryLimit);
  const interrupt = (): void => files.interrupt();
  signal.addEventListener('abort', interrupt);
  const fill = async (draft: string): Promise<number> => {
    const events = await copyStopped(files, file, draft);
    if (events === null) throw new CommandError(`${file} is not a Burrow database.`);
    return events;
  };
  try {
    if (target !== null) {
      const events = await writeWhole(target, fill);
      return { path: target, bytes: (await stat(target)).size, events };
    }
    const backups = createBackupFiles(join(dataDir, 'backups'));
    const { file: made, filled: events } = await backups.make(clock(), fill);
    return { path: made.path, bytes: made.bytes, events };
  } catch (error) {
    if (error instanceof OpenFailure) throw new StoreOpenError(error.reason, error.message, error.holderPid);
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    files.close();
  }
}

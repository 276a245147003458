import { mkdir, readdir, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StoreOpenError } from './db/client.ts';
import { KNOWN_SCHEMA, openFilesAside, type FilesAside } from './db/files-aside.ts';
import { OpenFailure } from './db/open.ts';
import { checkApart, type NodeProgram } from './check-apart.ts';
import { RestoreError } from './restore-error.ts';
import { copyBeside, moveAside, putInPlace, settleRestore, undoRestore } from './restore-steps.ts';
import { eventsOf } from './warehouse/duckdb/backup.ts';

const LOG_ENDING = '.wal';
/** What is left free for the log and the first checkpoint. */
const ROOM_TO_OPEN_BYTES = 16_777_216;
const FAULTS_SHOWN = 3;
const COUNT = new Intl.NumberFormat('en');

export interface RestoreOptions {
  /** Absolute path of the file to restore. */
  file: string;
  dataDir: string;
  /** Name of the database in the data folder. */
  dataFile: string;
  memoryLimitBytes: number;
  /** Node and this program's file, to read the backup in a process of its own; null where there is no Node. */
  program: NodeProgram | null;
  /** Unix milliseconds. */
  now: number;
}

export interface Restored {
  /** What was done, in sentences. */
  text: string;
  /** Puts the database of before in place again; null when there was none. */
  undo: (() => Promise<void>) | null;
}

/**
 * Puts a copy of the file in the place of the database of a data folder, and moves the one that is there aside. Throws
 * RestoreError, and StoreOpenError when another process holds the folder.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, dataDir, dataFile } = options;
  const current = join(dataDir, dataFile);
  if (resolve(current) === resolve(file))
    throw new RestoreError(`${file} is already the database of this folder.`);
  await checkIsFile(file);
  const files = await openFilesAside(options.memoryLimitBytes);
  try {
    const events = await checkContents(files, file);
    await checkWhole(file, options);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await checkRoom(dataDir, file);
    await settleRestore(dataDir, dataFile);
    const hasCurrent = (await stat(current).catch(() => null)) !== null;
    const copy = () => copyBeside(file, current);
    if (hasCurrent) await files.whileHeld(current, copy);
    else await copy();
    const aside = hasCurrent ? await freeAside(dataDir, dataFile, options.now) : null;
    if (aside !== null) await moveAside(current, aside);
    await putInPlace(current);
    const kept = aside === null ? '' : ` The previous database is kept as ${aside}.`;
    return {
      text: `Restored ${COUNT.format(events)} ${events === 1 ? 'event' : 'events'} from ${file} into ${dataDir}.${kept}`,
      undo: aside === null ? null : () => undoRestore(dataDir, dataFile, aside),
    };
  } catch (error) {
    if (error instanceof OpenFailure) throw new StoreOpenError(error.reason, error.message, error.holderPid);
    throw error;
  } finally {
    files.close();
  }
}

async function checkIsFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new RestoreError(`${file} does not exist.`);
  if (!found.isFile()) throw new RestoreError(`${file} is not a file.`);
}

/** Returns how many events are in it. */
async function checkContents(files: FilesAside, file: string): Promise<number> {
  const contents = await files.read(file).catch((error: unknown) => {
    if (!(error instanceof OpenFailure) || error.reason === 'corrupt')
      throw new RestoreError(`${file} is not a Burrow database, or it is damaged.`);
    throw new RestoreError(error.message);
  });
  if (contents === null) throw new RestoreError(`${file} is not a Burrow database.`);
  if (contents.schema > KNOWN_SCHEMA)
    throw new RestoreError(
      `${file} was written by a newer version of Burrow (schema ${contents.schema}; this version supports ${KNOWN_SCHEMA}).`,
    );
  return eventsOf(contents);
}

/** The copy needs room beside the database until it takes its place. Throws RestoreError. */
async function checkRoom(dataDir: string, file: string): Promise<void> {
  let needed = ROOM_TO_OPEN_BYTES;
  for (const ending of ['', LOG_ENDING]) needed += (await stat(file + ending).catch(() => null))?.size ?? 0;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= needed) return;
  const [room, free] = [needed, bavail * bsize].map((bytes) => COUNT.format(Math.ceil(bytes / 1e6)));
  throw new RestoreError(
    `There is not enough disk space for a copy of ${file}: ${room} MB are required, and ${free} MB are free in ${dataDir}. Nothing was changed.`,
  );
}

/** Reads all of it before the database that is there is touched. */
async function checkWhole(file: string, { memoryLimitBytes, program }: RestoreOptions): Promise<void> {
  const faults = await checkApart(file, memoryLimitBytes, program);
  if (faults.length > 0)
    throw new RestoreError(
      `${file} is damaged and was not restored: ${faults.slice(0, FAULTS_SHOWN).join(' ')}`,
    );
}

/** A name for the database that is there, beside it. */
async function freeAside(dataDir: string, dataFile: string, now: number): Promise<string> {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const names = await readdir(dataDir);
  let aside = `${dataFile}.before-restore-${time}`;
  for (let count = 2; names.includes(aside); count++) aside = `${dataFile}.before-restore-${time}-${count}`;
  return join(dataDir, aside);
}

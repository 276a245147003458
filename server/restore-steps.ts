import { chmod, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What belongs to a database file beside it: its log, the log of a checkpoint under way, the mark of the log, and that of damage. */
const COMPANIONS = ['.wal', '.wal.checkpoint', '.mark', '.damaged'];
const COPYING = '.copying';
const DRAFT = '.restoring';
const UNDOING = '.undoing';
const LOG_ENDING = '.wal';

/**
 * The steps of a restore, in an order that a start can finish or undo wherever a kill has ended it:
 * copy beside (`.copying`), name the whole copy (`.restoring`), move the logs aside, move the database aside, put the copy
 * in its place. While the database is there the restore is undone; once it is aside, the copy is whole, and is put in place.
 */
export async function copyBeside(from: string, current: string): Promise<void> {
  await removeCopies(current);
  try {
    for (const ending of ['', LOG_ENDING]) {
      if (!(await isThere(from + ending))) continue;
      const to = current + COPYING + ending;
      await copyFile(from + ending, to);
      await chmod(to, 0o600);
      const copy = await open(to, 'r+');
      try {
        await copy.sync();
      } finally {
        await copy.close();
      }
    }
    if (await isThere(current + COPYING + LOG_ENDING))
      await rename(current + COPYING + LOG_ENDING, current + DRAFT + LOG_ENDING);
    await rename(current + COPYING, current + DRAFT);
  } catch (error) {
    await removeCopies(current);
    throw error;
  }
}

/** Moves a database and what belongs to it to another name, logs first. */
export async function moveAside(current: string, aside: string): Promise<void> {
  for (const ending of COMPANIONS)
    if (await isThere(current + ending)) await rename(current + ending, aside + ending);
  await rename(current, aside);
}

/** Moves the copy to the place of the database. */
export async function putInPlace(current: string): Promise<void> {
  if (await isThere(current + DRAFT + LOG_ENDING))
    await rename(current + DRAFT + LOG_ENDING, current + LOG_ENDING);
  await rename(current + DRAFT, current);
}

/** Puts the database that a restore has moved aside in place again; the restored copy goes. */
export async function undoRestore(dataDir: string, dataFile: string, aside: string): Promise<void> {
  await rename(aside, join(dataDir, dataFile) + UNDOING);
  await finishUndo(dataDir, dataFile);
}

/** The steps after the first one, in an order that a start can go on with wherever a kill has ended it. */
async function finishUndo(dataDir: string, dataFile: string): Promise<void> {
  const current = join(dataDir, dataFile);
  // While the copy is there, the logs beside it are its own.
  if (await isThere(current)) {
    for (const ending of COMPANIONS) await rm(current + ending, { force: true });
    await rm(current);
  }
  await moveLogsBack(dataDir, dataFile);
  await rename(current + UNDOING, current);
}

/** Moves logs back that were moved aside without their database. */
async function moveLogsBack(dataDir: string, dataFile: string): Promise<void> {
  const names = await readdir(dataDir);
  for (const ending of COMPANIONS) {
    const moved = names.find(
      (name) =>
        name.startsWith(`${dataFile}.before-restore-`) &&
        name.endsWith(ending) &&
        !names.includes(name.slice(0, -ending.length)),
    );
    if (moved !== undefined && !names.includes(dataFile + ending))
      await rename(join(dataDir, moved), join(dataDir, dataFile + ending));
  }
}

/** Finishes or undoes a restore that was killed; returns what it did in a sentence, null when there was none. */
export async function settleRestore(dataDir: string, dataFile: string): Promise<string | null> {
  const current = join(dataDir, dataFile);
  const names: string[] = await readdir(dataDir).catch(() => []);
  const isLeft = (ending: string): boolean => names.includes(dataFile + ending);
  if (isLeft(UNDOING)) {
    await finishUndo(dataDir, dataFile);
    return 'The restored backup could not be opened; the previous database is in use again.';
  }
  if (!names.includes(dataFile)) {
    if (!isLeft(DRAFT)) return null;
    await putInPlace(current);
    return 'An interrupted restore was completed.';
  }
  const copies = [COPYING, COPYING + LOG_ENDING, DRAFT, DRAFT + LOG_ENDING];
  if (!copies.some(isLeft)) return null;
  await moveLogsBack(dataDir, dataFile);
  await removeCopies(current);
  return 'An interrupted restore was undone; the database was not changed.';
}

async function removeCopies(current: string): Promise<void> {
  for (const copy of [COPYING, DRAFT])
    for (const ending of ['', LOG_ENDING]) await rm(current + copy + ending, { force: true });
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

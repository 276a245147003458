import { open, rename, rm, stat } from 'node:fs/promises';
import { CommandError } from './terminal.ts';

/** Refuses to replace a file, unless forced to. Throws CommandError. */
export async function checkReplaces(path: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder.`);
  if (found !== null && !force)
    throw new CommandError(`${path} exists. Choose another name, or replace it with --force.`);
}

/** Has `fill` write a draft, which gets the name when it is complete and on disk; what fails leaves nothing. */
export async function writeWhole<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${path}.part`;
  try {
    const filled = await fill(draft);
    const file = await open(draft, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return filled;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

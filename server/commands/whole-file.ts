import { stat } from 'node:fs/promises';
import { CommandError } from './terminal.ts';

/** Refuses to replace a file, unless forced to. Throws CommandError. */
export async function checkReplaces(path: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CommandError(`${path} is a folder.`);
  if (found !== null && !force)
    throw new CommandError(`${path} exists. Choose another name, or replace it with --force.`);
}

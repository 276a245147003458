import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, rename, rm, stat, statfs, truncate } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { join } from 'node:path';
import { fail } from '../../errors.ts';

/** Bytes that stay free on the disk: events of the file need their own place. */
const SPARE_BYTES = 268_435_456;
const DRAFT_ENDING = '.part';

/** Files of imports, each in a folder that is named by its ID: what was uploaded, and the rows that were not taken. */
export interface ImportFolder {
  /** Writes what arrives; it gets its name when it is whole and on disk. Throws invalid_input without room. */
  receive(id: string, body: Readable, announced: number): Promise<number>;
  pathOf(id: string): string;
  has(id: string): Promise<boolean>;
  rejectedPathOf(id: string): string;
  /** Begins the file of rows that were not taken. */
  clearRejected(id: string): Promise<void>;
  addRejected(id: string, lines: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Keeps the rows that were not taken. */
  removeFile(id: string): Promise<void>;
  /** Removes what belongs to none of these, such as an upload that broke off. */
  keepOnly(ids: ReadonlySet<string>): Promise<void>;
  removeAll(): Promise<void>;
}

export function createImportFolder(folder: string): ImportFolder {
  const pathOf = (id: string): string => join(folder, id, 'file');
  const rejectedPathOf = (id: string): string => join(folder, id, 'rejected');
  const remove = (id: string): Promise<void> => rm(join(folder, id), { recursive: true, force: true });

  async function checkRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes + SPARE_BYTES)
      throw fail('invalid_input', { detail: 'There is not enough room on the disk for this file.' });
  }

  return {
    pathOf,
    rejectedPathOf,
    remove,
    removeFile: (id) => rm(pathOf(id), { force: true }),
    async receive(id, body, announced) {
      await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
      const draft = `${pathOf(id)}${DRAFT_ENDING}`;
      try {
        await checkRoom(announced);
        await pipeline(body, createWriteStream(draft, { mode: 0o600 }));
        const file = await open(draft, 'r+');
        await file.sync();
        await file.close();
        const { size } = await stat(draft);
        if (size === 0) throw fail('invalid_input', { detail: 'The file is empty.' });
        await rename(draft, pathOf(id));
        return size;
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    removeAll: () => rm(folder, { recursive: true, force: true }),
    has: async (id) => (await stat(pathOf(id)).catch(() => null)) !== null,
    async clearRejected(id) {
      await truncate(rejectedPathOf(id), 0).catch(() => undefined);
    },
    addRejected: (id, lines) => appendFile(rejectedPathOf(id), lines, { mode: 0o600 }),
    async keepOnly(ids) {
      for (const name of await readdir(folder).catch(() => [])) if (!ids.has(name)) await remove(name);
    },
  };
}

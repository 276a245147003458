import { constants, createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { checkRoom, whileRoom } from '../../lib/disk-room.ts';

const DRAFT_ENDING = '.part';
const noRoom = (): Error =>
  fail('invalid_input', { detail: 'There is not enough room on the disk for this file.' });

/** Files of imports, each in a folder that is named by its ID: what was uploaded, and the rows that were not taken. */
export interface ImportFolder {
  /** Writes what arrives; it gets its name when it is whole and on disk. Throws invalid_input without room. */
  receive(id: string, body: Readable, announced: number): Promise<number>;
  /** Writes a file that grows, behind its first `kept` bytes; returns how many it has, once they are on disk. */
  append(id: string, kept: number, text: string): Promise<number>;
  pathOf(id: string): string;
  has(id: string): Promise<boolean>;
  /** Begins the rows that were not taken; keeps those that the store refused up to a row, and returns whether there are some. */
  beginRejected(id: string, storedRows: number): Promise<boolean>;
  /** Rows that became no events. Throws invalid_input without room, as the next one. */
  addRejected(id: string, lines: string): Promise<void>;
  /** Rows that the store refused, of a piece of the file that ends with the row `rows`. */
  addRefused(id: string, rows: number, lines: readonly string[]): Promise<void>;
  /** Both of them, those that the store refused last. Throws not_found. */
  readRejected(id: string): Promise<Readable>;
  remove(id: string): Promise<void>;
  /** Keeps the rows that were not taken. */
  removeFile(id: string): Promise<void>;
  /** Removes what belongs to none of these, such as an upload that broke off; they are read after what is there. */
  keepOnly(readIds: () => Promise<ReadonlySet<string>>): Promise<void>;
  removeAll(): Promise<void>;
}

export function createImportFolder(folder: string): ImportFolder {
  const pathOf = (id: string): string => join(folder, id, 'file');
  const rejectedPathOf = (id: string): string => join(folder, id, 'rejected');
  const refusedPathOf = (id: string): string => join(folder, id, 'refused');
  const remove = (id: string): Promise<void> => rm(join(folder, id), { recursive: true, force: true });

  const checkRoomFor = (bytes: number): Promise<void> => checkRoom(folder, bytes, noRoom);

  /** Refused rows lie in lines of JSON, each with the row that its piece of the file ends with. */
  async function* refusedOf(id: string): AsyncGenerator<{ rows: number; line: string; bytes: number }> {
    if ((await stat(refusedPathOf(id)).catch(() => null)) === null) return;
    const input = createReadStream(refusedPathOf(id));
    try {
      for await (const text of createInterface({ input })) {
        const record = recordOf(text);
        if (record === null) return;
        yield { rows: record[0], line: record[1], bytes: Buffer.byteLength(text) + 1 };
      }
    } finally {
      input.destroy();
    }
  }

  async function* rejectedOf(id: string): AsyncGenerator<Buffer | string> {
    yield* createReadStream(rejectedPathOf(id)) as AsyncIterable<Buffer>;
    for await (const { line } of refusedOf(id)) yield line;
  }

  return {
    pathOf,
    remove,
    removeFile: (id) => rm(pathOf(id), { force: true }),
    async receive(id, body, announced) {
      await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
      const draft = `${pathOf(id)}${DRAFT_ENDING}`;
      try {
        await checkRoomFor(announced);
        await pipeline(body, whileRoom(folder, noRoom), createWriteStream(draft, { mode: 0o600 }));
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
    async append(id, kept, text) {
      await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
      const bytes = Buffer.from(text);
      await checkRoomFor(bytes.length);
      const file = await open(pathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        const { size } = await file.stat();
        if (size < kept)
          throw fail('invalid_input', { detail: 'The downloaded file is damaged. Begin again.' });
        // What was written and not noted before the process ended is written again.
        await file.truncate(kept);
        await file.write(bytes, 0, bytes.length, kept);
        await file.sync();
      } finally {
        await file.close();
      }
      return kept + bytes.length;
    },
    removeAll: () => rm(folder, { recursive: true, force: true }),
    has: async (id) => (await stat(pathOf(id)).catch(() => null)) !== null,
    async beginRejected(id, storedRows) {
      await truncate(rejectedPathOf(id), 0).catch(() => undefined);
      let kept = 0;
      for await (const { rows, bytes } of refusedOf(id)) {
        if (rows > storedRows) break;
        kept += bytes;
      }
      await truncate(refusedPathOf(id), kept).catch(() => undefined);
      return kept > 0;
    },
    async addRejected(id, lines) {
      await checkRoomFor(lines.length);
      await appendFile(rejectedPathOf(id), lines, { mode: 0o600 });
    },
    async addRefused(id, rows, lines) {
      const text = lines.map((line) => `${oneLine([rows, line])}\n`).join('');
      await checkRoomFor(text.length);
      await appendFile(refusedPathOf(id), text, { mode: 0o600 });
    },
    async readRejected(id) {
      if ((await stat(rejectedPathOf(id)).catch(() => null)) === null) throw fail('not_found');
      return Readable.from(rejectedOf(id));
    },
    async keepOnly(readIds) {
      const found = await readdir(folder).catch(() => []);
      const ids = await readIds();
      for (const name of found) if (!ids.has(name)) await remove(name);
    },
  };
}

/** JSON may have these as they are, which other readers take for ends of lines. */
function oneLine(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

/** null: a kill has cut the line. */
function recordOf(text: string): [number, string] | null {
  try {
    return JSON.parse(text) as [number, string];
  } catch {
    return null;
  }
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of the files of a folder, at any depth, that contain a text. A file deleted meanwhile does not. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile() && (await bytesOf(join(file.parentPath, file.name))).includes(text))
      found.push(file.name);
  }
  return found;
}

/** A checkpoint takes the write-ahead log away at any moment. */
async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

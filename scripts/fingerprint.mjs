import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A SHA-256 over names and contents of files and of whole folders, tests left out; of `{ folder, only }` it takes the
 * files whose path matches. Contents, not times: a checkout, a removed file or a restored backup are seen too, and
 * touching a file changes nothing.
 */
export async function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const { folder, only } = typeof input === 'string' ? { folder: input, only: /./ } : input;
    for (const file of (await listFiles(folder)).filter((path) => only.test(path))) {
      hash
        .update(`${file}\0`)
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** The files below a folder, sorted; a file is returned as itself. */
async function listFiles(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

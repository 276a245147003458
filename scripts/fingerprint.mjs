import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A SHA-256 over names and contents of all files in `paths`, tests left out. Contents, not times: a checkout, a
 * removed file or a restored backup are seen too, and touching a file rebuilds nothing.
 */
export async function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await listFiles(path)) {
      hash
        .update(`${file}\0`)
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function listFiles(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

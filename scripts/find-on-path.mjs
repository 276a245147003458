// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The first program of these names on the PATH, folder by folder, or null.
 * @param {readonly string[]} names
 */
export function findOnPath(...names) {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = names.map((name) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return null;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

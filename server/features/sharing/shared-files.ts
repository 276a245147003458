import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** A file that the page loads. */
export interface SharedFile {
  readonly bytes: Buffer;
  readonly type: string;
}

export interface SharedFiles {
  /** The page itself; null when it was not built. */
  readonly template: string | null;
  /** One of its files, by exact name; null for any other. Their names carry hashes of what is in them. */
  find(name: string): Promise<SharedFile | null>;
}

/** The built page in `folder` and its files in `folder/assets`. Names are read once, so no path can lead out of it. */
export function openSharedFiles(folder: string): SharedFiles {
  const template = orNull(() => readFileSync(join(folder, 'shared-page.html'), 'utf8'));
  const names = new Set(orNull(() => readdirSync(join(folder, 'assets'))) ?? []);
  return {
    template,
    async find(name) {
      const type = TYPES[extname(name)];
      if (type === undefined || !names.has(name)) return null;
      return { bytes: await readFile(join(folder, 'assets', name)), type };
    },
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

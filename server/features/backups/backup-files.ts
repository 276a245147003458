import { open, readdir, rename, rm, stat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Only such names are ever looked for: none leads out of the folder. */
const NAME = /^burrow-\d{8}-\d{6}(-\d+)?\.duckdb$/;
const DRAFT_ENDING = '.part';
/** A draft, and what DuckDB writes beside it. */
const DRAFT = /^burrow-[\d-]+\.duckdb\.part(\.\w+)?$/;

/** A backup as the file system has it. */
export interface BackupFile {
  name: string;
  path: string;
  bytes: number;
  /** Unix milliseconds. */
  createdAt: number;
}

/** The backups of a data folder, as files. */
export interface BackupFiles {
  readonly folder: string;
  /** Newest first. */
  list(): Promise<BackupFile[]>;
  /** null when there is none of that name. */
  find(name: string): Promise<BackupFile | null>;
  /** Has `fill` write a new backup of that time, in Unix milliseconds; it gets its name when it is whole and on disk. */
  make<T>(now: number, fill: (path: string) => Promise<T>): Promise<{ file: BackupFile; filled: T }>;
  remove(name: string): Promise<void>;
}

export function createBackupFiles(folder: string): BackupFiles {
  async function find(name: string): Promise<BackupFile | null> {
    if (!NAME.test(name)) return null;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    return found?.isFile() ? { name, path, bytes: found.size, createdAt: found.mtimeMs } : null;
  }

  /** Backups run one at a time, so the name stays free. */
  async function freeName(now: number): Promise<string> {
    const [day, time] = new Date(now).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
    for (let count = 1; ; count++) {
      const name = `burrow-${day}-${time}${count === 1 ? '' : `-${count}`}.duckdb`;
      if ((await find(name)) === null) return name;
    }
  }

  /** A process that was killed leaves its draft behind; there is never a second one at work. */
  async function removeDrafts(): Promise<void> {
    for (const name of await readdir(folder))
      if (DRAFT.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }

  return {
    folder,
    find,
    async list() {
      const names = await readdir(folder).catch(() => []);
      const files = await Promise.all(names.map(find));
      return files.filter((file) => file !== null).sort((a, b) => b.createdAt - a.createdAt);
    },
    async make(now, fill) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = await freeName(now);
      const draft = join(folder, `${name}${DRAFT_ENDING}`);
      await removeDrafts();
      try {
        const filled = await fill(draft);
        await sync(draft);
        await rename(draft, join(folder, name));
        await sync(folder);
        return { file: (await find(name))!, filled };
      } catch (error) {
        await removeDrafts();
        throw error;
      }
    },
    async remove(name) {
      if (NAME.test(name)) await rm(join(folder, name), { force: true });
    },
  };
}

/** Waits until a file, or the names of a folder, are on disk. */
async function sync(path: string): Promise<void> {
  // Windows opens no folders; there names are written with their files.
  const handle = await open(path, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

import type { ServiceChannel } from '../../db/client.ts';
import { fail } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { BackedUp } from '../../warehouse/duckdb/backup.ts';
import { createBackupFiles, type BackupFile } from './backup-files.ts';

/** A backup, and what it holds; null: it is no database of Burrow. */
export interface KnownBackup extends BackupFile {
  holds: { schema: number; events: number } | null;
}

export interface MadeBackup extends BackupFile {
  holds: BackedUp;
  milliseconds: number;
}

/** What became of going back to a backup. */
export interface LastRestore {
  /** False: the file was refused, and the database is the one of before. */
  isDone: boolean;
  /** A sentence. */
  text: string;
  /** Unix milliseconds. */
  at: number;
}

/** How the server goes back to a backup: it ends, the file takes the place of the database, and it restarts. */
export interface Restores {
  /** The last one since the process began. */
  readonly last: LastRestore | null;
  /** Begins with this file; returns a token that signs the owner in once the server is back, null when one is under way. */
  begin(file: string): string | null;
}

export interface Backups {
  /** null: everything is kept in memory. */
  readonly folder: string | null;
  readonly isMaking: boolean;
  readonly lastRestore: LastRestore | null;
  list(): Promise<KnownBackup[]>;
  /** Throws nothing_on_disk, backup_under_way, backup_failed. */
  make(): Promise<MadeBackup>;
  /** Throws not_found. */
  find(name: string): Promise<BackupFile>;
  /**
   * Ends this server and restarts it with the backup in the place of the database; returns a token that signs the
   * owner in then. Throws not_found, backup_under_way, backup_unreadable.
   */
  restore(name: string): Promise<string>;
  /** How many events a file holds, wherever it is; null: it is no backup. */
  eventsIn(path: string): Promise<number | null>;
  /** Does what `restore` does with a file, wherever it is. Throws backup_under_way, backup_unreadable. */
  restoreFile(path: string): Promise<string>;
  /** Throws not_found. */
  remove(name: string): Promise<void>;
}

export interface BackupParts {
  /** Leads to the thread of the store. */
  channel: ServiceChannel;
  /** The folder of backups; null for a server in memory. */
  folder: string | null;
  restores: Restores;
  clock: Clock;
  log: Log;
}

/** Backups of the whole database: written one at a time, and each inspected one time. */
export function createBackups({ channel, folder, restores, clock, log }: BackupParts): Backups {
  const files = folder === null ? null : createBackupFiles(folder);
  /** What files hold, by name, size and time: a backup never changes. */
  const known = new Map<string, KnownBackup['holds']>();
  let isMaking = false;

  const keyOf = ({ name, bytes, createdAt }: BackupFile): string => `${name} ${bytes} ${createdAt}`;

  async function holdsOf(file: BackupFile): Promise<KnownBackup['holds']> {
    const key = keyOf(file);
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    const holds = await read(file.path);
    known.set(key, holds);
    return holds;
  }

  function read(path: string): Promise<KnownBackup['holds']> {
    return channel.call<KnownBackup['holds']>({ kind: 'backups.read', path });
  }

  function begin(path: string, holds: KnownBackup['holds']): string {
    if (holds === null) throw fail('backup_unreadable');
    const token = isMaking ? null : restores.begin(path);
    if (token === null) throw fail('backup_under_way');
    return token;
  }

  async function find(name: string): Promise<BackupFile> {
    const file = (await files?.find(name)) ?? null;
    if (file === null) throw fail('not_found');
    return file;
  }

  return {
    folder,
    get isMaking() {
      return isMaking;
    },
    get lastRestore() {
      return restores.last;
    },
    find,
    async list() {
      const found: KnownBackup[] = [];
      // One after the other: each is opened beside the database.
      for (const file of (await files?.list()) ?? []) found.push({ ...file, holds: await holdsOf(file) });
      return found;
    },
    async make() {
      if (files === null) throw fail('nothing_on_disk');
      if (isMaking) throw fail('backup_under_way');
      isMaking = true;
      const started = performance.now();
      try {
        const { file, filled } = await files.make(clock(), (path) =>
          channel.call<BackedUp>({ kind: 'backups.make', path }),
        );
        const milliseconds = Math.round(performance.now() - started);
        known.set(keyOf(file), { schema: filled.schema, events: filled.events });
        log.info({ name: file.name, bytes: file.bytes, milliseconds }, 'A backup was made and checked');
        return { ...file, holds: filled, milliseconds };
      } catch (error) {
        log.error({ error: String(error) }, 'A backup failed and was removed');
        if (/No space left|ENOSPC|disk is full/i.test(String(error))) {
          const detail = `There is not enough disk space for a backup in ${folder}. No backup was created.`;
          throw fail('backup_failed', { detail });
        }
        throw fail('backup_failed');
      } finally {
        isMaking = false;
      }
    },
    async restore(name) {
      const file = await find(name);
      return begin(file.path, await holdsOf(file));
    },
    eventsIn: async (path) => (await read(path))?.events ?? null,
    restoreFile: async (path) => begin(path, await read(path)),
    async remove(name) {
      const file = await find(name);
      await files!.remove(file.name);
      known.delete(keyOf(file));
    },
  };
}

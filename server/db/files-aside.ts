import type { DuckDBConnection } from '@duckdb/node-api';
import { readContents, whileAttached, type FileContents } from './attached-file.ts';
import { checkFile, type FileCheck } from './check-file.ts';
import { silentLog } from '../lib/log.ts';
import { MIGRATIONS } from './migrate.ts';
import { openDatabase, openFailure } from './open.ts';

/** Reads database files that are not open in this process. */
export interface FilesAside {
  /** What a file holds; null when it is no database of Burrow. Throws OpenFailure. */
  read(path: string): Promise<FileContents | null>;
  /** Reads all of a file; null when it is no database of Burrow. Throws OpenFailure when it cannot be opened. */
  check(path: string): Promise<FileCheck | null>;
  /** Runs `work` with a file attached under a name, to read it. Throws OpenFailure when it cannot be opened. */
  whileRead<T>(
    path: string,
    work: (connection: DuckDBConnection, database: string) => Promise<T>,
  ): Promise<T>;
  /** Ends what runs. */
  interrupt(): void;
  /**
   * Runs `work` with an exclusive lock on the file, after its write-ahead log was moved into it. One that is damaged
   * is left as it is, and cannot be held. Throws OpenFailure when another process holds it.
   */
  whileHeld<T>(path: string, work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** The schema that this version writes: files up to it can be opened. */
export const KNOWN_SCHEMA = MIGRATIONS.at(-1)!.number;

/** Opens an instance in memory, beside which files are attached. */
export async function openFilesAside(memoryLimitBytes: number): Promise<FilesAside> {
  const instance = await openDatabase({ path: null, memoryLimitBytes }, silentLog, () => 0);
  const connection = await instance.connect();

  async function attachedTo<T>(path: string, work: (file: string) => Promise<T>): Promise<T> {
    try {
      return await whileAttached(connection, path, 'READ_ONLY', work);
    } catch (error) {
      throw openFailure(textOf(error), path);
    }
  }

  return {
    read: (path) => attachedTo(path, (file) => readContents(connection, file)),
    check: (path) => attachedTo(path, (file) => checkFile(connection, file)),
    async whileRead(path, work) {
      let hasBegun = false;
      try {
        return await whileAttached(connection, path, 'READ_ONLY', (file) => {
          hasBegun = true;
          return work(connection, file);
        });
      } catch (error) {
        throw hasBegun ? error : openFailure(textOf(error), path);
      }
    },
    interrupt: () => connection.interrupt(),
    async whileHeld(path, work) {
      let hasBegun = false;
      try {
        return await whileAttached(connection, path, 'READ_WRITE', async (file) => {
          await connection.run(`CHECKPOINT ${file}`);
          hasBegun = true;
          return await work();
        });
      } catch (error) {
        if (hasBegun) throw error;
        const failure = openFailure(textOf(error), path);
        if (failure.reason === 'locked' || failure.reason === 'read_only') throw failure;
        return await work();
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The database file's name inside a data folder. */
export const DATABASE = 'burrow.duckdb';

/** A new empty folder that is deleted when the test has ended. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-reliability-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Log } from '../lib/log.ts';
import { inTransaction } from './in-transaction.ts';
import { OpenFailure } from './open.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
}

const FILES: Record<string, string> = import.meta.glob('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The migrations of this version, in order of their numbers. */
export const MIGRATIONS: readonly Migration[] = Object.entries(FILES)
  .map(([path, sql]) => {
    const name = path.split('/').at(-1)!.replace('.sql', '');
    return { number: Number(name.slice(0, 4)), name, sql };
  })
  .sort((a, b) => a.number - b.number);

/**
 * Brings the schema to this version, forward only: each missing migration in one transaction of its own, or all of them
 * in one for a new database. Throws OpenFailure for a file of a newer version.
 */
export async function migrate(
  connection: DuckDBConnection,
  options: { path: string | null; log: Log; now: () => number; migrations?: readonly Migration[] },
): Promise<void> {
  const migrations = options.migrations ?? MIGRATIONS;
  const applied = await readApplied(connection);
  const missing = migrations.filter(({ number }) => number > applied);
  await checkApplied(connection, options.path, migrations);
  if (missing.length === 0) return;
  // A new database gets all migrations in one transaction; a file with data takes one after the other, and keeps
  // those that succeeded.
  const steps = applied === 0 ? [missing] : missing.map((migration) => [migration]);
  for (const step of steps) {
    await apply(connection, step, options.now);
    options.log.debug({ migrations: step.map(({ name }) => name) }, 'Schema migrated');
  }
}

async function apply(
  connection: DuckDBConnection,
  migrations: readonly Migration[],
  now: () => number,
): Promise<void> {
  const at = new Date(now()).toISOString().replace('Z', '');
  const rows = migrations.map((_, i) => `($${3 * i + 2}, $${3 * i + 3}, $${3 * i + 4}, $1::TIMESTAMP)`);
  const values = migrations.flatMap(({ number, name, sql }) => [number, name, checksumOf(sql)]);
  await inTransaction(connection, async () => {
    await connection.run(migrations.map(({ sql }) => sql).join('\n'));
    await connection.run(`INSERT INTO schema_migrations VALUES ${rows.join(', ')}`, [at, ...values]);
  });
}

/** Throws OpenFailure for a file that has other migrations than this version, or newer ones. A file whose migrations were others than ours has another shape than this version expects. */
export async function checkApplied(
  connection: DuckDBConnection,
  path: string | null,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const last = await readApplied(connection);
  const newest = migrations.at(-1)?.number ?? 0;
  if (last > newest) {
    throw new OpenFailure(
      'newer_version',
      `${path ?? 'The database'} was written by a newer version of Burrow (schema ${last}; this version supports ${newest}).`,
    );
  }
  const applied = await connection.runAndReadAll('SELECT number, name, checksum FROM schema_migrations');
  for (const [number, name, checksum] of applied.getRows()) {
    const ours = migrations.find((migration) => migration.number === number);
    if (ours !== undefined && ours.name === name && checksumOf(ours.sql) === checksum) continue;
    throw new OpenFailure(
      'corrupt',
      `${path ?? 'The database'} was created by a different build of Burrow: its migration ${String(name)} does not match this version. It was not changed; open it with the version that created it.`,
    );
  }
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** The first migration that a database with data lacks; null when it has all of them, or is new. */
export async function firstMissing(
  connection: DuckDBConnection,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number | null> {
  const applied = await readApplied(connection);
  return applied === 0 ? null : (migrations.find(({ number }) => number > applied)?.number ?? null);
}

/**
 * Copies a closed file beside itself, as it is before that migration (`<file>.before-<number>`). While it is open it
 * must not be: POSIX gives up a process's lock when any handle of the file is closed.
 */
export async function copyAside(path: string, number: number): Promise<void> {
  const copy = `${path}.before-${String(number).padStart(4, '0')}`;
  try {
    await copyFile(path, copy);
  } catch (error) {
    // Half a copy would be taken for a whole one.
    await rm(copy, { force: true });
    throw error;
  }
}

/** The number of the last migration; 0 for a new database. */
async function readApplied(connection: DuckDBConnection): Promise<number> {
  await connection.run(
    'CREATE TABLE IF NOT EXISTS schema_migrations (number INTEGER NOT NULL, name VARCHAR NOT NULL, checksum VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)',
  );
  const last = await connection.runAndReadAll(
    'SELECT coalesce(max(number), 0)::INTEGER FROM schema_migrations',
  );
  return last.value(0, 0) as number;
}

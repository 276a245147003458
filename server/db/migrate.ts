/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
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
 * Brings the schema to this version: each missing migration in one transaction of its own, forward only. A file that
 * holds data is copied beside itself first (`<file>.before-<number>`). Throws OpenFailure for a file of a newer version.
 */
export async function migrate(
  connection: DuckDBConnection,
  options: { path: string | null; log: Log; now: () => number; migrations?: readonly Migration[] },
): Promise<void> {
  const migrations = options.migrations ?? MIGRATIONS;
  await connection.run(
    'CREATE TABLE IF NOT EXISTS schema_migrations (number INTEGER NOT NULL, name VARCHAR NOT NULL, checksum VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)',
  );
  const applied = (
    await connection.runAndReadAll('SELECT coalesce(max(number), 0) FROM schema_migrations')
  ).value(0, 0);
  const missing = migrations.filter((migration) => migration.number > Number(applied));
  const newest = migrations.at(-1)?.number ?? 0;
  if (Number(applied) > newest) {
    throw new OpenFailure(
      'newer_version',
      `${options.path ?? 'The database'} was written by a newer version of Burrow (schema ${String(applied)}; this one knows ${newest}).`,
    );
  }
  if (missing.length === 0) return;
  if (options.path !== null && Number(applied) > 0)
    await copyAside(connection, options.path, missing[0]!.number);
  for (const migration of missing) {
    await apply(connection, migration, options.now);
    options.log.debug({ migration: migration.name }, 'Schema migrated');
  }
}

async function apply(connection: DuckDBConnection, migration: Migration, now: () => number): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.run(migration.sql);
    await connection.run('INSERT INTO schema_migrations VALUES ($1, $2, $3, $4::TIMESTAMP)', [
      migration.number,
      migration.name,
      createHash('sha256').update(migration.sql).digest('hex'),
      new Date(now()).toISOString().replace('Z', ''),
    ]);
  });
}

async function copyAside(connection: DuckDBConnection, path: string, number: number): Promise<void> {
  // With an empty write-ahead log the file alone is the whole database.
  await connection.run('CHECKPOINT');
  await copyFile(path, `${path}.before-${String(number).padStart(4, '0')}`);
}

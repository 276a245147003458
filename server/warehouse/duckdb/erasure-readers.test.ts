import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { filesWith } from '../../../test/support/files-with.ts';
import { ownerContext } from '../../../test/support/owner-context.ts';
import { createErasureJob } from './erasure-job.ts';
import type { MaintenanceTask, MaintenanceContext } from './maintenance-task.ts';
import { createTableWriteLock } from './table-write-lock.ts';

const MARK = 'Jx7fPn2Rb9cQ';
const TABLES = ['persons_settled', 'person_merges'];

interface Erasing {
  erasure: MaintenanceTask;
  turn: MaintenanceContext;
  connection: DuckDBConnection;
  reader: DuckDBConnection;
  folder: string;
}

/** A file with deleted rows that are to be erased. `atCheckpoint` is called before each checkpoint, with its number. */
async function openErasing(atCheckpoint: (number: number) => Promise<void>): Promise<Erasing> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-erasure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'burrow.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run("SET GLOBAL force_compression = 'uncompressed'");
  await connection.run('CREATE TABLE erasures (requested_at TIMESTAMP, in_pass BOOLEAN DEFAULT false)');
  for (const name of TABLES)
    await connection.run(
      `CREATE TABLE ${name} AS SELECT range AS id, CASE range WHEN 7 THEN '${MARK}' ELSE 'kept' END AS properties FROM range(10000)`,
    );
  await connection.run('CHECKPOINT');
  for (const name of TABLES) await connection.run(`DELETE FROM ${name} WHERE id = 7`);
  await connection.run('INSERT INTO erasures (requested_at) VALUES (now()::TIMESTAMP)');
  let checkpoints = 0;
  const reader = await instance.connect();
  onTestFinished(() => {
    for (const one of [reader, connection]) one.closeSync();
    instance.closeSync();
  });
  const { resources, log } = ownerContext(instance);
  return {
    reader,
    connection,
    folder,
    erasure: createErasureJob({
      connection,
      writer: { betweenCommits: (work) => work() },
      writeLock: createTableWriteLock(),
      participants: [],
      resources,
      path,
      onBegin: async () => {},
      log,
    }),
    turn: {
      isQuiet: true,
      isClosing: false,
      fileBytes: 1,
      compact: async () => 0,
      async checkpoint(next) {
        await atCheckpoint(++checkpoints);
        await connection.run('CHECKPOINT');
        return await next();
      },
    },
  };
}

test.each([2, 3, 4, 5, 6])(
  'a reader at checkpoint %i of an erasure delays it, and no longer than the read',
  async (number) => {
    const { erasure, turn, connection, folder, reader } = await openErasing(async (at) => {
      if (at !== number) return;
      await reader.run('BEGIN TRANSACTION');
      for (const name of TABLES) await reader.run(`SELECT count(*) FROM ${name}`);
    });
    const pending = async () => (await connection.runAndReadAll('FROM erasures')).currentRowCount;
    const attempts = async (most: number) => {
      for (let attempt = 0; attempt < most && (await pending()) > 0; attempt++)
        await erasure.run(turn).catch((error: unknown) => {
          if (!String(error).includes('Cannot CHECKPOINT')) throw error;
        });
    };
    await attempts(3);
    await reader.run('COMMIT');
    await attempts(3);
    expect(await pending()).toBe(0);
    expect(await filesWith(folder, MARK)).toEqual([]);
    for (const name of TABLES)
      expect((await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${name}`)).value(0, 0)).toBe(
        9_999,
      );
  },
);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { openDatabase } from './open.ts';
import { createResources } from './resources.ts';

const FULL_BYTES = 512 * 1_048_576;

test('a query during a memory release has all threads and all memory', async () => {
  const instance = await openDatabase({ path: null, memoryLimitBytes: FULL_BYTES }, silentLog, Date.now);
  const connection = await instance.connect();
  const resources = await createResources(await instance.connect(), FULL_BYTES, 2);
  onTestFinished(async () => {
    await resources.close();
    connection.closeSync();
    instance.closeSync();
  });
  const giving = resources.giveBack();
  const settings = await resources.whileQuerying(async () => {
    await giving;
    const rows = await connection.runAndReadAll(
      `SELECT current_setting('threads'), current_setting('memory_limit')`,
    );
    return rows.getRows()[0]!.map(String);
  });
  expect(settings).toEqual(['2', '512.0 MiB']);
});

test('sorting raises the memory of rest, and takes none from queries that run or have just run', async () => {
  const bytes = 2 * FULL_BYTES;
  const instance = await openDatabase({ path: null, memoryLimitBytes: bytes }, silentLog, Date.now);
  const connection = await instance.connect();
  const resources = await createResources(await instance.connect(), bytes, 2);
  onTestFinished(async () => {
    await resources.close();
    connection.closeSync();
    instance.closeSync();
  });
  const limit = async (): Promise<string> =>
    String((await connection.runAndReadAll(`SELECT current_setting('memory_limit')`)).value(0, 0));
  expect(await resources.whileSorting(limit)).toBe('512.0 MiB');
  expect(await resources.whileQuerying(() => resources.whileSorting(limit))).toBe('1.0 GiB');
  expect(await resources.whileSorting(limit)).toBe('1.0 GiB');
});

test('a cache that is shed while a statement runs is free, and the statement ends as usual', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-resources-'));
  const limitBytes = FULL_BYTES / 2;
  const path = join(folder, 'some.duckdb');
  const instance = await openDatabase({ path, memoryLimitBytes: limitBytes }, silentLog, Date.now);
  const connection = await instance.connect();
  const other = await instance.connect();
  const resources = await createResources(await instance.connect(), limitBytes, 2);
  onTestFinished(async () => {
    await resources.close();
    connection.closeSync();
    other.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  });
  const held = async (): Promise<number> => {
    const rows = await other.runAndReadAll('SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()');
    return rows.value(0, 0) as number;
  };
  await resources.whileQuerying(async () => {
    await connection.run(
      'CREATE TABLE long AS SELECT md5(i::VARCHAR) || md5((i + 1)::VARCHAR) AS t FROM range(6_000_000) r(i)',
    );
    await connection.run('CHECKPOINT');
    await connection.run('SELECT max(t) FROM long');
    expect(await held()).toBeGreaterThan(limitBytes * 0.6);
    const counting = connection.runAndReadAll(`SELECT count(*) FROM long WHERE md5(t) > 'f'`);
    await resources.shedCache();
    const rows = await counting;
    expect(Number(rows.value(0, 0))).toBeGreaterThan(300_000);
    await resources.shedCache();
    expect(await held()).toBeLessThan(limitBytes * 0.55);
    const limit = await other.runAndReadAll(`SELECT current_setting('memory_limit')`);
    expect(limit.value(0, 0)).toBe('256.0 MiB');
  });
});

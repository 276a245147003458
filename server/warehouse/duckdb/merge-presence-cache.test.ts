import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { silentLog } from '../../lib/log.ts';
import { createMergePresenceCache } from './merge-presence-cache.ts';

test('a project without merges is checked again after a reported merge, and one with merges at each version', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  const looks = createMergePresenceCache(await instance.connect());
  const insert = () =>
    connection.run(
      `INSERT INTO person_merges (version, project_id, old_person_id, person_id) VALUES (1, 1, 5, 6)`,
    );
  try {
    expect(await looks.mayHaveMerges(1, { version: 1, merges: 0 })).toBe(false);
    await insert();
    // No merge was reported: no lookup runs.
    expect(await looks.mayHaveMerges(1, { version: 2, merges: 0 })).toBe(false);
    expect(await looks.mayHaveMerges(1, { version: 3, merges: 1 })).toBe(true);
    expect(await looks.mayHaveMerges(2, { version: 3, merges: 1 })).toBe(false);
    await connection.run('DELETE FROM person_merges');
    expect(await looks.mayHaveMerges(1, { version: 3, merges: 1 })).toBe(true);
    expect(await looks.mayHaveMerges(1, { version: 4, merges: 1 })).toBe(false);
  } finally {
    looks.close();
    connection.closeSync();
    instance.closeSync();
  }
});

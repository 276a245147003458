import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate, MIGRATIONS } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { silentLog } from '../../server/lib/log.ts';
import { startServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { makeReadOnly, noReadOnly } from './mount.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** What `startServer` says of a server that ended before it was ready: its exit code and its log. */
async function failureOf(dataDir: string): Promise<string> {
  const error: unknown = await startServer({ dataDir }).then(
    async (server) => {
      await server.kill();
      return new Error('It started.');
    },
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}

/** A database as an earlier version has left it. */
async function makeOlder(path: string): Promise<void> {
  const instance = await openDatabase({ path, memoryLimitBytes: 256 * 1_048_576 }, silentLog, () => 0);
  const connection = await instance.connect();
  const migrations = MIGRATIONS.slice(0, -1);
  await migrate(connection, { path, log: silentLog, now: Date.now, migrations });
  connection.closeSync();
  instance.closeSync();
}

describe('a data folder', () => {
  test('in use by another process is refused with exit code 3 and a sentence with folder and process id', async () => {
    const dataDir = await newDataFolder();
    const holder = await run({ dataDir });

    const failure = await failureOf(dataDir);
    expect(failure).toContain('(code 3,');
    expect(failure).toContain(dataDir);
    expect(failure).toContain(String(holder.pid));
    expect(failure).not.toMatch(/\n\s+at /);

    const { body } = makeBatch({ projectApiKey: holder.projectApiKey, event: 'after', number: 0, size: 1 });
    expect((await send(`${holder.url}/batch/`, { body })).status).toBe(200);
  });

  test('of an older version is copied before it is migrated, and in use afterwards like any other', async () => {
    const dataDir = await newDataFolder();
    await makeOlder(join(dataDir, DATABASE));
    const holder = await run({ dataDir });
    const name = `${DATABASE}.before-${String(MIGRATIONS.length).padStart(4, '0')}`;
    expect(await readdir(dataDir)).toContain(name);
    const failure = await failureOf(dataDir);
    expect(failure).toContain('(code 3,');
    expect(failure).toContain(String(holder.pid));
  });

  test('opens again after a crash, and the events are there', async () => {
    const dataDir = await newDataFolder();
    const crashed = await run({ dataDir });
    const batch = makeBatch({ projectApiKey: crashed.projectApiKey, event: 'kept', number: 0, size: 10 });
    await send(`${crashed.url}/batch/`, { body: batch.body });
    await crashed.kill();

    const server = await run({ dataDir });
    expect(server.projectApiKey).toBe(crashed.projectApiKey);
    expect((await walkEvents(server, 'kept')).map(({ id }) => id).toSorted()).toEqual(batch.uuids.toSorted());
  });

  test('that is not writable is refused with a message', async ({ skip }) => {
    skip(noReadOnly !== null, noReadOnly ?? '');
    const dataDir = await newDataFolder();
    await (await run({ dataDir })).stop();
    makeReadOnly(dataDir);
    await expectRefusedAsReadOnly(dataDir);
  });

  test('whose database file is not writable is refused likewise', async ({ skip }) => {
    skip(noReadOnly !== null, noReadOnly ?? '');
    const dataDir = await newDataFolder();
    await (await run({ dataDir })).stop();
    makeReadOnly(join(dataDir, DATABASE));
    await expectRefusedAsReadOnly(dataDir);
  });

  test('with another file under the name of the database is refused and unchanged', async () => {
    const dataDir = await newDataFolder();
    await writeFile(
      join(dataDir, DATABASE),
      'no database at all, only some text that somebody put here\n'.repeat(100),
    );
    const failure = await failureOf(dataDir);
    expect(failure).toContain(dataDir);
    expect(failure).toMatch(/damaged|not a/i);
    expect(failure).not.toMatch(/\n\s+at /);
  });
});

async function expectRefusedAsReadOnly(dataDir: string): Promise<void> {
  const failure = await failureOf(dataDir);
  expect(failure).toMatch(/\(code [1-9]\d*,/);
  expect(failure).toContain(dataDir);
  expect(failure).toMatch(/is not writable|read-only/i);
  expect(failure).not.toMatch(/\n\s+at /);
}

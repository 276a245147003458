import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const BATCHES = 20;
const BATCH_SIZE = 20;
const WAL = `${DATABASE}.wal`;
const MARK = `${DATABASE}.mark`;

/** A folder as a kill leaves it, and the database file as it was before: 400 events stand between the two states. */
let crashed: string;
let wal: Buffer;
let olderFile: Buffer;

beforeAll(async () => {
  crashed = await mkdtemp(join(tmpdir(), 'burrow-log-head-'));
  const first = await startServer({ dataDir: crashed });
  await sendBatches(first, 'early');
  await first.stop();
  olderFile = await readFile(join(crashed, DATABASE));
  const second = await startServer({ dataDir: crashed });
  await sendBatches(second, 'between');
  await second.stop();
  const third = await startServer({ dataDir: crashed });
  await sendBatches(third, 'logged');
  await third.kill();
  wal = await readFile(join(crashed, WAL));
});

afterAll(() => rm(crashed, { recursive: true, force: true }));

async function sendBatches(server: RunningServer, event: string): Promise<void> {
  for (let number = 0; number < BATCHES; number += 1) {
    const { body } = makeBatch({ projectApiKey: server.projectApiKey, event, number, size: BATCH_SIZE });
    expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);
  }
}

async function folderWith(files: Record<string, Buffer | null>): Promise<string> {
  const dataDir = await newDataFolder();
  await cp(crashed, dataDir, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    if (bytes === null) await rm(join(dataDir, name));
    else await writeFile(join(dataDir, name), bytes);
  }
  return dataDir;
}

interface Notice {
  id: string;
  title: string;
  text: string;
}

async function noticesOf(server: RunningServer): Promise<Notice[]> {
  const headers = { Authorization: `Bearer ${server.personalApiKey}` };
  const answer = await fetch(`${server.url}/api/burrow/notices/`, { headers });
  return ((await answer.json()) as { results: Notice[] }).results;
}

const asideIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith(`${WAL}.damaged-`));

function changed(at: number, change: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(wal);
  change(copy.subarray(at));
  return copy;
}

const flip = (bytes: Buffer): void => void (bytes[0] = bytes[0]! ^ 0xff);

async function refusalOf(dataDir: string): Promise<string> {
  return await startServer({ dataDir }).then(
    async (server) => {
      await server.kill();
      return 'It started.';
    },
    (error: Error) => error.message,
  );
}

describe('a write-ahead log damaged at its start', () => {
  test.each([0, 1, 4])('by a flip of byte %i loses no events and is kept aside', async (at) => {
    const damaged = changed(at, flip);
    const dataDir = await folderWith({ [WAL]: damaged });
    const server = await run({ dataDir });
    expect(await walkEvents(server, 'logged')).toHaveLength(BATCHES * BATCH_SIZE);
    expect(await noticesOf(server)).toMatchObject([
      { id: 'log_damaged', title: 'The write-ahead log was damaged at its start' },
    ]);
    const [aside] = await asideIn(dataDir);
    expect(damaged.equals(await readFile(join(dataDir, aside!)))).toBe(true);
  });

  test.each([
    ['a flip of byte 12', () => changed(12, flip)],
    ['zeros in its first 4 KiB', () => changed(0, (bytes) => void bytes.fill(0, 0, 4096))],
  ])('by %s opens with the contents of the file, and reports how much was dropped', async (_, damage) => {
    const damaged = damage();
    const dataDir = await folderWith({ [WAL]: damaged });
    const server = await run({ dataDir });
    expect(await walkEvents(server, 'between')).toHaveLength(BATCHES * BATCH_SIZE);
    const [notice] = await noticesOf(server);
    expect(notice).toMatchObject({
      id: 'log_damaged',
      title: 'The write-ahead log was damaged at its start',
    });
    expect(notice!.text).toMatch(/bytes were dropped, containing \d+ commits/);
    const [aside] = await asideIn(dataDir);
    expect(notice!.text).toContain(aside);
    expect(damaged.equals(await readFile(join(dataDir, aside!)))).toBe(true);

    await server.kill();
    const again = await run({ dataDir });
    expect(await noticesOf(again)).toHaveLength(1);
    expect(await asideIn(dataDir)).toHaveLength(1);
  });

  test('by a size in its middle keeps everything before and reports the damaged middle', async () => {
    // The commit after the tenth begins where ten have ended.
    const end = Buffer.from('640064ffff', 'hex');
    let at = 0;
    for (let count = 0; count < 10; count += 1) at = wal.indexOf(end, at) + end.length;
    const dataDir = await folderWith({ [WAL]: changed(at + 4, flip) });
    const server = await run({ dataDir });
    const stored = (await walkEvents(server, 'logged')).length;
    expect(stored % BATCH_SIZE).toBe(0);
    expect(stored).toBeLessThan(BATCHES * BATCH_SIZE);
    expect(await noticesOf(server)).toMatchObject([
      { title: 'The write-ahead log was damaged at its middle' },
    ]);
    expect(await asideIn(dataDir)).toHaveLength(1);
  });
});

describe('A-11 the mark beside the log', () => {
  test('detects a log that was removed, or truncated while the machine was running', async () => {
    for (const bytes of [null, Buffer.alloc(0), wal.subarray(0, -3000)]) {
      const server = await run({ dataDir: await folderWith({ [WAL]: bytes }) });
      const title =
        (bytes?.length ?? 0) === 0
          ? 'The write-ahead log was removed'
          : 'The end of the write-ahead log is missing';
      expect(await noticesOf(server)).toMatchObject([{ id: 'log_damaged', title }]);
      await server.kill();
    }
  });

  test('ahead of the log is not an error after a power cut', async () => {
    const mark = JSON.parse(await readFile(join(crashed, MARK), 'utf8')) as object;
    const dataDir = await folderWith({
      [WAL]: wal.subarray(0, -3000),
      [MARK]: Buffer.from(JSON.stringify({ ...mark, boot: 'another' })),
    });
    expect(await noticesOf(await run({ dataDir }))).toEqual([]);
  });

  test('raises no notice after a kill or a stop', async () => {
    const dataDir = await folderWith({});
    const killed = await run({ dataDir });
    expect(await walkEvents(killed, 'logged')).toHaveLength(BATCHES * BATCH_SIZE);
    expect(await noticesOf(killed)).toEqual([]);
    await killed.stop();
    expect(await noticesOf(await run({ dataDir }))).toEqual([]);
  });

  test('an older database file beside a newer log is refused, and both are unchanged', async () => {
    const dataDir = await folderWith({ [DATABASE]: olderFile });
    expect(await refusalOf(dataDir)).toMatch(/is older than its log .*burrow\.duckdb\.wal/);
    expect(wal.equals(await readFile(join(dataDir, WAL)))).toBe(true);
    expect(olderFile.equals(await readFile(join(dataDir, DATABASE)))).toBe(true);
  });

  test('an older database file without a log opens with a notice', async () => {
    const dataDir = await folderWith({ [DATABASE]: olderFile, [WAL]: null });
    expect(await noticesOf(await run({ dataDir }))).toMatchObject([
      { title: 'The database file was replaced by an older one' },
    ]);
  });

  test('a log without its database file is refused, and no empty database is created', async () => {
    const dataDir = await folderWith({ [DATABASE]: null });
    const refusal = await refusalOf(dataDir);
    expect(refusal).toMatch(/is missing or empty while its log/);
    expect(refusal).not.toMatch(/\n\s+at /);
    expect(await readdir(dataDir)).not.toContain(DATABASE);
    expect(wal.equals(await readFile(join(dataDir, WAL)))).toBe(true);
  });
});

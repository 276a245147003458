import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyBeside, moveAside, putInPlace, undoRestore } from '../../server/restore-steps.ts';
import { startServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** Two states of one database, each with a log: the one to restore, and the one that is there. */
let folder: string;
let backup: string;
let here: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-restore-steps-'));
  backup = join(folder, 'backup');
  here = join(folder, 'here');
  for (const event of ['in the backup', 'since']) {
    const server = await startServer({ dataDir: here });
    token = server.projectApiKey;
    const { body } = makeBatch({ projectApiKey: token, event, number: 0, size: 10 });
    await send(`${server.url}/batch/`, { body });
    await server.kill();
    if (event === 'in the backup') await cp(here, backup, { recursive: true });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** All that a restore moves, one after the other; each is a place where a kill can end it. */
async function restoreUpTo(dataDir: string, steps: number): Promise<boolean> {
  const current = join(dataDir, DATABASE);
  const aside = `${current}.before-restore-20261125-100000`;
  let left = steps;
  const names = new Set(await readdir(dataDir));
  const from = join(backup, DATABASE);
  await copyBeside(from, current);
  const moves: [string, string][] = [];
  for (const ending of ['.wal', '.mark'])
    if (names.has(DATABASE + ending)) moves.push([current + ending, aside + ending]);
  moves.push([current, aside]);
  moves.push([`${current}.restoring.wal`, `${current}.wal`], [`${current}.restoring`, current]);
  for (const [old, name] of moves) {
    if (left-- === 0) return true;
    await rename(old, name);
  }
  return false;
}

test('a restore that is killed at any rename is finished or undone by the next start; the token is the same', async () => {
  let isOver = false;
  for (let steps = 0; !isOver; steps += 1) {
    const dataDir = await newDataFolder();
    await cp(here, dataDir, { recursive: true });
    isOver = !(await restoreUpTo(dataDir, steps));
    const server = await run({ dataDir });
    expect(server.projectApiKey, `after ${steps} renames`).toBe(token);
    expect(await walkEvents(server, 'in the backup')).toHaveLength(10);
    const since = (await walkEvents(server, 'since')).length;
    const names = await readdir(dataDir);
    const isDone = names.some((name) => /before-restore-\d{8}-\d{6}$/.test(name));
    expect(since, `after ${steps} renames`).toBe(isDone ? 0 : 10);
    expect(names.filter((name) => /\.(restoring|copying)/.test(name))).toEqual([]);
    await server.kill();
  }
});

test('the renames above are those of the restore', async () => {
  const dataDir = await newDataFolder();
  await cp(here, dataDir, { recursive: true });
  const other = await newDataFolder();
  await cp(here, other, { recursive: true });
  const current = join(dataDir, DATABASE);
  await copyBeside(join(backup, DATABASE), current);
  await moveAside(current, `${current}.before-restore-20261125-100000`);
  await putInPlace(current);
  await restoreUpTo(other, 99);
  expect((await readdir(dataDir)).toSorted()).toEqual((await readdir(other)).toSorted());
  expect(await readFile(current)).toEqual(await readFile(join(other, DATABASE)));
});

/** All that taking a restore back removes and moves, one after the other; returns whether a kill has ended it. */
async function undoUpTo(dataDir: string, steps: number): Promise<boolean> {
  const current = join(dataDir, DATABASE);
  const aside = `${current}.before-restore-20261125-100000`;
  const undoing = `${current}.undoing`;
  const names = await readdir(dataDir);
  const logs = ['.wal', '.mark'];
  const work = [
    () => rename(aside, undoing),
    ...logs.filter((ending) => names.includes(DATABASE + ending)).map((ending) => () => rm(current + ending)),
    () => rm(current),
    ...logs
      .filter((ending) => names.includes(`${DATABASE}.before-restore-20261125-100000${ending}`))
      .map((ending) => () => rename(aside + ending, current + ending)),
    () => rename(undoing, current),
  ];
  for (const step of work.slice(0, steps)) await step();
  return steps < work.length;
}

test('a rollback of a restore, killed at any step, leaves the previous database with its log', async () => {
  let isOver = false;
  for (let steps = 1; !isOver; steps += 1) {
    const dataDir = await newDataFolder();
    await cp(here, dataDir, { recursive: true });
    await restoreUpTo(dataDir, 99);
    isOver = !(await undoUpTo(dataDir, steps));
    const server = await run({ dataDir });
    expect(server.projectApiKey, `after ${steps} steps`).toBe(token);
    expect(await walkEvents(server, 'since'), `after ${steps} steps`).toHaveLength(10);
    expect((await readdir(dataDir)).filter((name) => /before-restore|undoing/.test(name))).toEqual([]);
    await server.kill();
  }
});

test('the steps above are those of the rollback of a restore', async () => {
  const [dataDir, other] = [await newDataFolder(), await newDataFolder()];
  for (const folder of [dataDir, other]) {
    await cp(here, folder, { recursive: true });
    await restoreUpTo(folder, 99);
  }
  const name = `${DATABASE}.before-restore-20261125-100000`;
  await undoRestore(dataDir, DATABASE, join(dataDir, name));
  await undoUpTo(other, 99);
  expect((await readdir(dataDir)).toSorted()).toEqual((await readdir(other)).toSorted());
  for (const file of [DATABASE, `${DATABASE}.wal`])
    expect(await readFile(join(dataDir, file))).toEqual(await readFile(join(other, file)));
});

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const BATCHES = 40;
const BATCH_SIZE = 200;
const WAL = `${DATABASE}.wal`;

/** A folder as a kill leaves it, with a large write-ahead log of batches that were acknowledged one after another. */
let crashed: string;
let walBytes: Buffer;

beforeAll(async () => {
  crashed = await mkdtemp(join(tmpdir(), 'burrow-crashed-'));
  const server = await startServer({ dataDir: crashed });
  for (let number = 0; number < BATCHES; number += 1) {
    const options = { projectApiKey: server.projectApiKey, event: 'logged', number, size: BATCH_SIZE };
    const { status } = await send(`${server.url}/batch/`, { body: makeBatch(options).body });
    if (status !== 200) throw new Error(`Batch ${number} was answered ${status}.`);
  }
  await server.kill();
  walBytes = await readFile(join(crashed, WAL));
});

afterAll(() => rm(crashed, { recursive: true, force: true }));

interface Damage {
  what: string;
  /** How far before the end the damage begins; 0 when everything that was written is still whole. */
  bytesLost: number;
  apply(wal: Buffer): Buffer;
}

function flipAt(wal: Buffer, position: number): Buffer {
  const damaged = Buffer.from(wal);
  damaged[position] = damaged[position]! ^ 0xff;
  return damaged;
}

const DAMAGES: Damage[] = [
  { what: 'a byte flipped near the end', bytesLost: 3000, apply: (wal) => flipAt(wal, wal.length - 3000) },
  {
    what: 'the last 64 KB zeroed, as a power cut can leave them',
    bytesLost: 65_536,
    apply: (wal) => Buffer.concat([wal.subarray(0, -65_536), Buffer.alloc(65_536)]),
  },
  {
    what: '4 KB of zeros appended',
    bytesLost: 0,
    apply: (wal) => Buffer.concat([wal, Buffer.alloc(4096)]),
  },
  {
    what: 'a byte flipped a megabyte before the end',
    bytesLost: 1_000_000,
    apply: (wal) => flipAt(wal, wal.length - 1_000_000),
  },
  { what: 'its last 5,000 bytes missing', bytesLost: 5000, apply: (wal) => wal.subarray(0, -5000) },
];

describe('a write-ahead log with', () => {
  test.each(DAMAGES)('$what opens with everything before the damage', async ({ bytesLost, apply }) => {
    const dataDir = await newDataFolder();
    await cp(crashed, dataDir, { recursive: true });
    await writeFile(join(dataDir, WAL), apply(walBytes));

    const server = await run({ dataDir });
    const numbers = (await walkEvents(server, 'logged')).map(
      ({ properties }) => properties['batch'] as number,
    );
    const whole = new Set(numbers).size;
    // Batches were committed in order, so what is left is the first ones, each whole.
    expect(numbers.length).toBe(whole * BATCH_SIZE);
    expect(Math.max(...numbers)).toBe(whole - 1);
    const bytesPerBatch = walBytes.length / BATCHES;
    const mayBeLost = bytesLost === 0 ? 0 : Math.ceil(bytesLost / bytesPerBatch) + 1;
    expect(whole).toBeGreaterThanOrEqual(BATCHES - mayBeLost);
  });

  // DuckDB opens a log that is merely cut off by itself; what it refuses is repaired, and that must leave a trace.
  test.each(DAMAGES.slice(0, 4))(
    '$what is kept aside unchanged, and the log has its path',
    async ({ apply }) => {
      const dataDir = await newDataFolder();
      await cp(crashed, dataDir, { recursive: true });
      const damaged = apply(walBytes);
      await writeFile(join(dataDir, WAL), damaged);

      const server = await run({ dataDir });
      const aside = (await readdir(dataDir)).filter((name) => name.startsWith(`${WAL}.`));
      expect(aside).toHaveLength(1);
      const isAsItWas = damaged.equals(await readFile(join(dataDir, aside[0]!)));
      expect(isAsItWas).toBe(true);
      expect(server.stderr()).toContain(aside[0]);
    },
  );

  test('damage is repaired once: new events are stored, and the next start has no repair', async () => {
    const dataDir = await newDataFolder();
    await cp(crashed, dataDir, { recursive: true });
    await writeFile(join(dataDir, WAL), DAMAGES[1]!.apply(walBytes));

    const repaired = await run({ dataDir });
    const options = { projectApiKey: repaired.projectApiKey, event: 'afterwards', number: 0, size: 10 };
    const batch = makeBatch(options);
    expect((await send(`${repaired.url}/batch/`, { body: batch.body })).status).toBe(200);
    await repaired.kill();

    const server = await run({ dataDir });
    const ids = (await walkEvents(server, 'afterwards')).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(batch.uuids.toSorted());
    expect((await readdir(dataDir)).filter((name) => name.startsWith(`${WAL}.`))).toHaveLength(1);
  });
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createImportFolder } from '../../server/features/imports/import-folder.ts';
import { mountSmallDisk, noMount } from './mount.ts';

const MB = 1_048_576;

beforeEach(({ skip }) => skip(noMount !== null, noMount ?? ''));

test('a file of unknown length is refused while it arrives before it takes the room of the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-import-disk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  mountSmallDisk(folder, '400m');
  let sent = 0;
  const body = Readable.from(
    (function* () {
      for (; sent < 300; sent++) yield Buffer.alloc(MB, 'x');
    })(),
  );
  const received = createImportFolder(folder).receive('a', body, 0);
  await expect(received).rejects.toThrow('There is not enough room on the disk for this file.');
  expect(sent).toBeLessThan(200);
  expect(await readdir(folder)).toEqual([]);
});

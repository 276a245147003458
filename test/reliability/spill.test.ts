import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBatch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';

const MOST_BATCHES = 600;
/** A process id that Linux never uses. */
const NOBODY = 4_194_305;

test('an in-memory server spills into a private folder, which is deleted at its end; leftovers of killed ones are deleted at a start', async () => {
  const temporary = await newDataFolder();
  const left = join(temporary, `burrow-spill-${NOBODY}-abc`);
  const ofAnother = join(temporary, `burrow-spill-${process.pid}-abc`);
  await mkdir(left);
  await mkdir(ofAnother);
  const server = await run({ env: { TMPDIR: temporary }, args: ['--memory-limit', '128MB'] });
  const spills = async () => {
    const names = await readdir(temporary);
    return names
      .filter((name) => name.startsWith(`burrow-spill-${server.pid}-`))
      .map((name) => join(temporary, name));
  };
  for (let number = 0; number < MOST_BATCHES && (await spills()).length === 0; number++) {
    const batch = makeBatch({
      projectApiKey: server.projectApiKey,
      event: 'spill',
      number,
      size: 400,
      padding: 2_000,
    });
    expect((await send(`${server.url}/batch/`, { body: batch.body })).status).toBe(200);
  }
  const [folder] = await spills();
  expect(folder, 'it has spilled').toBeDefined();
  expect((await stat(folder!)).mode & 0o777).toBe(0o700);
  expect(await readdir(temporary)).not.toContain(left.split('/').at(-1));
  expect(await readdir(process.cwd())).not.toContain('.tmp');
  await server.stop();
  expect(await spills()).toEqual([]);
  expect(await readdir(temporary)).toContain(ofAnother.split('/').at(-1));
});

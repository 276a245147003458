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

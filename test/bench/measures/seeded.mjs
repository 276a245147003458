// @ts-check
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runLoad } from '../load.mjs';
import { start, startOn } from '../servers.mjs';

const SEED = fileURLToPath(new URL('../seed.mjs', import.meta.url));
/** The sample from which the stored events are generated. */
const SAMPLE_SECONDS = 1;

/** @typedef {Omit<import('../client.mjs').Load, 'url'>} SeededLoad */

/**
 * Starts Burrow on a file that holds so many persons and events already.
 * @param {{ persons?: number, events?: number }} stored
 * @param {SeededLoad} load Creates the sample from which the events are generated.
 */
export function startSeeded({ persons = 0, events = 0 }, load) {
  return start('burrow', async (folder) => {
    const server = await startOn(folder);
    try {
      if (events > 0) {
        await runLoad({ ...load, url: server.url, warmupSeconds: 0.1, seconds: SAMPLE_SECONDS });
      }
    } finally {
      await server.stop();
    }
    const file = join(folder, 'burrow.duckdb');
    await promisify(execFile)(process.execPath, [SEED, file, String(persons), String(events)]);
  });
}

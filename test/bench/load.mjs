// @ts-check
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLIENT = fileURLToPath(new URL('./client.mjs', import.meta.url));
/** Beyond warm-up and measuring: reading the pool, and answers that take long. */
const GRACE_MS = 60_000;

/**
 * Runs the load client in a process of its own.
 * @param {import('./client.mjs').Load} load
 * @returns {Promise<import('./client.mjs').LoadResult>}
 */
export async function runLoad(load) {
  const timeout = (load.warmupSeconds + load.seconds) * 1000 + GRACE_MS;
  const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, JSON.stringify(load)], { timeout });
  return JSON.parse(stdout);
}

// @ts-check
import { runLoad } from '../load.mjs';
import { startSeeded } from './seeded.mjs';

/**
 * Events a second into an empty file and into one that holds `events` already, in one run.
 * @param {{ load: import('./seeded.mjs').SeededLoad, batch: number, events: number }} options
 */
export async function measureStoredEvents({ load, batch, events }) {
  const empty = await rate({}, load, batch);
  const full = await rate({ events }, load, batch);
  return { storedEvents: events, emptyPerSecond: empty, fullPerSecond: full, fullShare: full / empty };
}

/**
 * @param {{ events?: number }} stored
 * @param {import('./seeded.mjs').SeededLoad} load
 * @param {number} batch
 */
async function rate(stored, load, batch) {
  const server = await startSeeded(stored, load);
  try {
    const { requestsPerSecond } = await runLoad({ ...load, url: server.url });
    return requestsPerSecond * batch;
  } finally {
    await server.stop();
  }
}

// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../load.mjs';
import { readMemory } from '../proc.mjs';
import { startSeeded } from './seeded.mjs';

const FEW = 1_000;
const MANY = 1_000_000;
/** Beyond those that are stored. */
const FIRST_NEW = 5_000_000;
const SETTLE_MS = 5_000;

/**
 * How the number of persons bears on ingestion: events a second when they are drawn evenly from 1,000 persons and from
 * 1,000,000, and when each is of a new one, all in one run; and the memory that the map of distinct ids takes, in MB.
 * @param {{ load: import('./seeded.mjs').SeededLoad, batch: number }} options
 */
export async function measurePersons({ load, batch }) {
  const few = await loaded(FEW, { from: 0, count: FEW }, load, batch);
  const many = await loaded(MANY, { from: 0, count: MANY }, load, batch);
  const fresh = await loaded(FEW, { from: FIRST_NEW, count: null }, load, batch);
  return {
    fewPerSecond: few.perSecond,
    manyPerSecond: many.perSecond,
    newPerSecond: fresh.perSecond,
    manyShare: many.perSecond / few.perSecond,
    newShare: fresh.perSecond / few.perSecond,
    mapMb: many.idleMb - few.idleMb,
  };
}

/**
 * @param {number} persons
 * @param {{ from: number, count: number | null }} distinctIds
 * @param {import('./seeded.mjs').SeededLoad} load
 * @param {number} batch
 */
async function loaded(persons, distinctIds, load, batch) {
  const server = await startSeeded({ persons }, load);
  try {
    await sleep(SETTLE_MS);
    const idleMb = readMemory(server.pid).residentMb;
    const { requestsPerSecond } = await runLoad({ ...load, distinctIds, url: server.url });
    return { perSecond: requestsPerSecond * batch, idleMb };
  } finally {
    await server.stop();
  }
}

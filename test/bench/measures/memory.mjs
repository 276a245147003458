// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../load.mjs';
import { readMemory } from '../proc.mjs';
import { start } from '../servers.mjs';

const LATER_MS = 30_000;

/**
 * Resident memory right after a load, at its peak, and half a minute later, in MB.
 * @param {{ load: Omit<import('../client.mjs').Load, 'url'> }} options
 */
export async function measureMemory({ load }) {
  const server = await start('burrow');
  try {
    await runLoad({ ...load, url: server.url });
    const { residentMb: loadedMb, peakMb } = readMemory(server.pid);
    await sleep(LATER_MS);
    return { loadedMb, peakMb, laterMb: readMemory(server.pid).residentMb };
  } finally {
    await server.stop();
  }
}

// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuSeconds, readMemory } from '../proc.mjs';
import { start } from '../servers.mjs';

const SETTLE_MS = 5_000;

/**
 * A server without any request: its memory, and its processor time over `seconds` as per cent of one core.
 * @param {{ seconds: number }} options
 */
export async function measureIdle({ seconds }) {
  const server = await start('burrow');
  try {
    await sleep(SETTLE_MS);
    const before = readCpuSeconds(server.pid);
    await sleep(seconds * 1000);
    const cpuPercent = ((readCpuSeconds(server.pid) - before) / seconds) * 100;
    return { idleCpuPercent: cpuPercent, idleMb: readMemory(server.pid).residentMb };
  } finally {
    await server.stop();
  }
}

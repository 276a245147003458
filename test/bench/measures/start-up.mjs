// @ts-check
import { start } from '../servers.mjs';

/**
 * Milliseconds from starting the built server on an empty folder to its ready line, when it listens.
 * @returns {Promise<{ startMs: number }>}
 */
export async function measureStartUp() {
  const server = await start('burrow');
  await server.stop();
  return { startMs: server.startMs };
}

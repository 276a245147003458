import { utilityProcess } from 'electron';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ServerChild } from './server-process.ts';

/**
 * Starts dist/server/main.js in a utility process: Electron's own Node.js, so that nothing else need be installed. What it
 * prints is written to the log too.
 */
export function forkServer(args: readonly string[], freePort: number, log: Writable | null): ServerChild {
  const child = utilityProcess.fork(join(import.meta.dirname, '../server/main.js'), [...args], {
    serviceName: 'Burrow server',
    stdio: 'pipe',
    // The store, its reads and the file system each need threads; Node.js reads this before any script runs.
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? '16',
      BURROW_FREE_PORT: String(freePort),
    },
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  if (log !== null) child.stderr?.pipe(log, { end: false });
  return child as ServerChild;
}

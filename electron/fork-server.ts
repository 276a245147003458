import { utilityProcess } from 'electron';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ServerChild } from './server-process.ts';

export interface ServerFork {
  /** The command of the server's program and its arguments: `serve`. */
  args: readonly string[];
  /** Null: the system's own folder, or the one that the environment names. */
  dataDir: string | null;
  log: Writable | null;
  /** Chosen by the shell, as `ServerProcessOptions` says. */
  ports?: { free: number; kept: number | null };
}

/**
 * Starts dist/server/main.js in a utility process: Electron's own Node.js, so that nothing else need be installed. What it
 * prints is written to the log too.
 */
export function forkServer({ args, dataDir, log, ports }: ServerFork): ServerChild {
  const child = utilityProcess.fork(join(import.meta.dirname, '../server/main.js'), [...args], {
    serviceName: 'Burrow server',
    stdio: 'pipe',
    // The store, its reads and the file system each need threads; Node.js reads this before any script runs.
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? '16',
      ...(dataDir === null ? {} : { BURROW_DATA_DIR: dataDir }),
      BURROW_FREE_PORT: String(ports?.free ?? ''),
      BURROW_KEPT_PORT: String(ports?.kept ?? ''),
    },
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  if (log !== null) child.stderr?.pipe(log, { end: false });
  return child as ServerChild;
}

import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { startServer, type RunningServer, type StartOptions } from '../support/start-server.ts';

/** Starts a server that is killed when the test has ended, if it still runs then. */
export async function run(options: StartOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(async () => {
    await server.kill();
  });
  return server;
}

/** Bytes of memory that a process has held at most; 0 where the system does not tell. */
export function peakMemory(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

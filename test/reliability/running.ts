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

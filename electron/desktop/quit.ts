import { app } from 'electron';
import type { ServerProcess } from '../server-process.ts';

/** Longer than a checkpoint of a large file takes; what was acknowledged is safe even when the limit strikes. */
const DRAIN_LIMIT_MS = 15_000;

/** Holds every way of quitting until the server has drained: committed what it accepted, and closed the file. */
export function setupQuit(server: ServerProcess): void {
  let draining = false;
  app.on('before-quit', (event) => {
    if (server.state.phase === 'stopped') return;
    event.preventDefault();
    if (draining) return;
    draining = true;
    void server.stop(DRAIN_LIMIT_MS).then(() => app.quit());
  });
}

import { app, powerMonitor } from 'electron';
import type { ServerProcess } from '../server-process.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

/** Longer than a checkpoint of a large file takes; what was acknowledged is safe even when the limit strikes. */
const DRAIN_LIMIT_MS = 15_000;

/**
 * Quits in two steps: first every window with unsaved changes agrees, then the server drains, which commits what it
 * accepted and closes the file. A quit that a user cancels has drained nothing.
 */
export function setupQuit(server: ServerProcess, unsaved: UnsavedChanges): { isQuitting(): boolean } {
  let phase: 'running' | 'asking' | 'closing' | 'draining' | 'gone' = 'running';

  app.on('before-quit', (event) => {
    if (phase !== 'running' && phase !== 'asking') return;
    event.preventDefault();
    if (phase === 'asking') return;
    phase = 'asking';
    void unsaved.settleAll().then((mayQuit) => {
      if (phase !== 'asking') return;
      phase = 'running';
      if (mayQuit) leave();
    });
  });
  app.on('will-quit', (event) => {
    if (phase === 'gone') return;
    event.preventDefault();
    if (phase === 'draining') return;
    phase = 'draining';
    void server.stop(DRAIN_LIMIT_MS).then(() => {
      phase = 'gone';
      // Without a running server this is reached immediately, and Electron ignores a quit while it still cancels the one before.
      setImmediate(() => app.quit());
    });
  });

  /** Closes every window without a question, then drains. */
  function leave(): void {
    if (phase === 'draining' || phase === 'gone') return;
    phase = 'closing';
    unsaved.allowAll();
    app.quit();
  }

  // A signal or the end of the session leaves no time for a question. Electron replaces listeners that are set earlier.
  void app.whenReady().then(() => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);
    // As the first listener of powerMonitor, `shutdown` never fires.
    powerMonitor.on('suspend', () => {});
    powerMonitor.on(
      'shutdown' as never,
      ((event: Electron.Event) => {
        event.preventDefault();
        leave();
      }) as never,
    );
  });
  return { isQuitting: () => phase !== 'running' && phase !== 'asking' };
}

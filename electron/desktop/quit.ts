import { app, powerMonitor } from 'electron';
import type { ServerProcess } from '../server-process.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

/** Longer than a checkpoint of a large file takes; what was acknowledged is safe even when the limit strikes. */
const DRAIN_LIMIT_MS = 15_000;

export interface Quit {
  isQuitting(): boolean;
  /** Quits, and starts the app again with these arguments; `onLeave` runs once nothing can cancel it. */
  relaunch(args: readonly string[], onLeave: () => void): void;
}

/**
 * Quits in two steps: first every window with unsaved changes agrees, then the server drains, which commits what it
 * accepted and closes the file. A quit that a user cancels has drained nothing.
 */
export function setupQuit(server: ServerProcess, unsaved: UnsavedChanges): Quit {
  let relaunch: (() => void) | null = null;
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
      else relaunch = null;
    });
  });
  app.on('will-quit', (event) => {
    if (phase === 'gone') return;
    event.preventDefault();
    if (phase === 'draining') return;
    phase = 'draining';
    void server.stop(DRAIN_LIMIT_MS).then(() => {
      phase = 'gone';
      relaunch?.();
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
  return {
    isQuitting: () => phase !== 'running' && phase !== 'asking',
    relaunch(args, onLeave) {
      relaunch = () => {
        onLeave();
        // The program that runs of an AppImage lies in a folder that goes with it.
        app.relaunch({ execPath: process.env['APPIMAGE'] ?? process.execPath, args: [...args] });
      };
      app.quit();
    },
  };
}

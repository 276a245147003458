import { app, dialog, type BrowserWindow } from 'electron';
import type { ServerProcess } from '../server-process.ts';
import { consoleWindows } from './console-window.ts';
import { notify } from './notifications.ts';
import type { ShellMemory } from './shell-state.ts';
import type { TrayIcon } from './tray.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';
import type { Windows } from './windows.ts';

/**
 * What happens without a window: the app goes on, or it quits. Closing the last window asks once, after its unsaved changes
 * are settled, and remembers the answer. On macOS apps go on by custom.
 */
export function setupKeepCollecting(options: {
  server: ServerProcess;
  memory: ShellMemory;
  unsaved: UnsavedChanges;
  windows: Windows;
  tray: TrayIcon;
  isQuitting: () => boolean;
}): void {
  const { server, memory, unsaved, windows, tray, isQuitting } = options;
  let isAsking = false;

  if (process.platform !== 'darwin')
    app.on('browser-window-created', (_event, window) => {
      window.on('close', (event) => {
        const open = consoleWindows();
        const isOther = open.length > 1 || !open.includes(window);
        if (isQuitting() || isOther || memory.get().keepsCollecting !== null || !isRunning()) return;
        event.preventDefault();
        if (!isAsking) void close(window);
      });
    });

  app.on('window-all-closed', () => {
    if (process.platform === 'darwin') return;
    if (memory.get().keepsCollecting !== true || !isRunning()) return app.quit();
    if (tray.isShown || !memory.get().notifies) return;
    notify(
      'Burrow keeps collecting',
      'This desktop shows no tray. Start Burrow again to open its window or to quit it.',
      windows.show,
    );
  });

  /** Whether there is a server that ends with the app. */
  const isRunning = (): boolean => server.state.phase === 'running' && !server.state.isAttached;

  async function close(window: BrowserWindow): Promise<void> {
    isAsking = true;
    try {
      if (!(await unsaved.settle(window)) || window.isDestroyed()) return;
      const keeps = await ask(window, tray.isShown);
      if (keeps === null) return;
      memory.set({ keepsCollecting: keeps });
      // Its changes are settled; close() would ask for them again.
      if (!window.isDestroyed()) window.destroy();
    } finally {
      isAsking = false;
    }
  }
}

/** True: go on without a window. Null: leave the window open. */
async function ask(window: BrowserWindow, hasTray: boolean): Promise<boolean | null> {
  const place = hasTray ? 'Burrow stays in the tray' : 'Start Burrow again to see its window';
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Burrow',
    message: 'Keep collecting in the background?',
    detail: `Apps can go on sending events while no window is open. ${place}. You can change this in Settings > App.`,
    buttons: ['Keep Collecting', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  return response === 2 ? null : response === 0;
}

import { BrowserWindow, Notification } from 'electron';
import type { ServerProcess } from '../server-process.ts';
import type { ShellMemory } from './shell-state.ts';
import type { Windows } from './windows.ts';

/** Kept until they are clicked or closed: a click on one that was collected is lost. */
const shown = new Set<Notification>();

/** Shows a notification of the system, whose click calls back. */
export function notify(title: string, body: string, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title: withoutMarkup(title), body: withoutMarkup(body) });
  shown.add(notification);
  notification.on('click', onClick);
  for (const event of ['click', 'close', 'failed'] as const)
    notification.on(event as 'close', () => void shown.delete(notification));
  notification.show();
}

/**
 * Shows what the server reports, unless the user has switched it off. What has no page of its own is not shown while a window
 * has the focus, because each window shows it.
 */
export function setupNotifications(
  server: Pick<ServerProcess, 'watchNotices'>,
  memory: Pick<ShellMemory, 'get'>,
  windows: Pick<Windows, 'show' | 'goTo'>,
): void {
  server.watchNotices(({ title, text, path }) => {
    if (!memory.get().notifies || (path === null && BrowserWindow.getFocusedWindow() !== null)) return;
    notify(title, text, () => (path === null ? windows.show() : windows.goTo(path)));
  });
}

/** Daemons of Linux read a body as markup, and Electron does not escape it. */
function withoutMarkup(text: string): string {
  return text.replace(/[<>&]/g, '');
}

import { app, type BrowserWindow } from 'electron';
import { consoleWindows } from './console-window.ts';
import type { ShellMemory, ShellState } from './shell-state.ts';
import type { Windows } from './windows.ts';

/** More windows at a start would hide the desktop. */
const MOST_RESTORED = 8;
const SAVE_AFTER_MS = 400;

/**
 * Remembers which windows are open on which page of the console. Windows that the end of the app closes stay in the list,
 * and so does the last one that a user closes: the next start opens them again.
 */
export function setupOpenWindows(
  memory: ShellMemory,
  isQuitting: () => boolean,
): { restore(to: Windows): void } {
  let timer: NodeJS.Timeout | undefined;

  function save(without?: BrowserWindow): void {
    clearTimeout(timer);
    if (isQuitting()) return;
    const windows = consoleWindows()
      .filter((window) => window !== without && !window.isDestroyed())
      .toSorted((a, b) => a.id - b.id);
    const openWindows = windows.flatMap(stateOf).slice(0, MOST_RESTORED);
    // While the server starts or has failed, windows show no page of the console.
    if (openWindows.length === 0 || openWindows.length < Math.min(windows.length, MOST_RESTORED)) return;
    if (JSON.stringify(openWindows) !== JSON.stringify(memory.get().openWindows)) memory.set({ openWindows });
  }
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => save(), SAVE_AFTER_MS);
  };

  app.on('browser-window-created', (_event, window) => {
    window.webContents.on('did-navigate', saveSoon);
    window.webContents.on('did-navigate-in-page', saveSoon);
    window.on('resize', saveSoon);
    window.on('move', saveSoon);
    window.on('close', () => save());
    window.on('closed', () => save(window));
  });
  app.on('before-quit', () => save());

  return {
    restore(windows) {
      const [first, ...others] = memory.get().openWindows;
      if (first === undefined) return windows.open();
      // The first one opens where the last window was: its place is on a screen that exists.
      for (const { page, ...place } of [first, ...others]) windows.open(page, place);
    },
  };
}

/** Nothing for a window that shows no page of the console yet. */
function stateOf(window: BrowserWindow): ShellState['openWindows'] {
  const url = window.webContents.getURL();
  if (!url.startsWith('http')) return [];
  const { pathname, search } = new URL(url);
  const page = pathname === '/sign-in' ? '/' : `${pathname}${search}`;
  return [{ ...window.getNormalBounds(), isMaximized: window.isMaximized(), page }];
}

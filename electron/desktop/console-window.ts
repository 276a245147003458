import { BrowserWindow, dialog, nativeTheme, screen, type MessageBoxOptions } from 'electron';
import { join } from 'node:path';
import type { ShellMemory, WindowPlace } from './shell-state.ts';
import { cascadeWindow, MIN_SIZE, placeWindow, type Area } from './window-place.ts';

/** The console's canvas colours (renderer/ui/tokens.css), painted until its first page, so that nothing flashes. */
const CANVAS = { light: '#fcfbf9', dark: '#11100f' };
const ICON = join(import.meta.dirname, '../../resources/icons/512x512.png');
const SAVE_AFTER_MS = 400;

const created = new WeakSet<BrowserWindow>();

/** The open windows of the console, the last created first; others show documents of the Help menu. */
export function consoleWindows(): BrowserWindow[] {
  return BrowserWindow.getAllWindows().filter((window) => created.has(window));
}

/** The console window that has the focus. */
export function focusedConsoleWindow(): BrowserWindow | null {
  const window = BrowserWindow.getFocusedWindow();
  return window !== null && created.has(window) ? window : null;
}

/**
 * An empty window without any of Node.js in its pages, shown immediately in the color of the console; it remembers its place. It
 * opens at `place`, else beside the window that has the focus, else where the last one was.
 */
export function createConsoleWindow(memory: ShellMemory, place?: WindowPlace): BrowserWindow {
  const other = place === undefined ? focusedConsoleWindow() : null;
  const saved = place ?? memory.get().window;
  const window = new BrowserWindow({
    ...(other ? cascadeWindow(other.getNormalBounds()) : placeWindow(saved, workAreas())),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Burrow',
    show: false,
    autoHideMenuBar: true,
    // Elsewhere the icon is the program's own.
    ...(process.platform === 'linux' ? { icon: ICON } : {}),
    backgroundColor: CANVAS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Its dictionaries come from the internet.
      spellcheck: false,
    },
  });
  created.add(window);
  if (!other && saved?.isMaximized) window.maximize();
  window.show();
  keepPlace(window, memory);
  return window;
}

function keepPlace(window: BrowserWindow, memory: ShellMemory): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    memory.set({ window: { ...window.getNormalBounds(), isMaximized: window.isMaximized() } });
  };
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', save);
}

function workAreas(): [Area, ...Area[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary.workArea, ...others.map(({ workArea }) => workArea)];
}

/** Shows a dialog over the window in use, and returns the number of the button that was chosen. */
export async function showMessage(options: MessageBoxOptions): Promise<number> {
  const window = focusedConsoleWindow() ?? consoleWindows()[0];
  const shown: MessageBoxOptions = {
    type: 'info',
    title: 'Burrow',
    buttons: ['OK'],
    noLink: true,
    ...options,
  };
  const { response } = await (window ? dialog.showMessageBox(window, shown) : dialog.showMessageBox(shown));
  return response;
}

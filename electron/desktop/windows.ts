import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { join } from 'node:path';
import type { ServerProcess, ServerState } from '../server-process.ts';
import { errorPageActions, errorPageUrl } from './error-page.ts';
import type { ShellMemory } from './shell-state.ts';
import { cascadeWindow, MIN_SIZE, placeWindow, type Area } from './window-place.ts';

/** The console's canvas colours (renderer/ui/tokens.css), painted until its first frame, so that nothing flashes. */
const CANVAS = { light: '#fcfbf9', dark: '#11100f' };
const ICON = join(import.meta.dirname, '../../resources/icons/512x512.png');
const SAVE_AFTER_MS = 400;

export interface Windows {
  /** Opens a window, on the console's start page or on one of its addresses. Call when the app is ready. */
  open(address?: string): void;
  /** Brings the last used window to the front; opens one when there is none. */
  show(): void;
}

export interface WindowsOptions {
  server: ServerProcess;
  memory: ShellMemory;
}

/** Console windows: each signs itself in, follows the server through restarts, and shows why when there is none. */
export function setupWindows({ server, memory }: WindowsOptions): Windows {
  server.watch((state) => {
    for (const window of BrowserWindow.getAllWindows()) void follow(window, server, state);
  });

  function open(address?: string): void {
    const window = createWindow(memory);
    keepPlace(window, memory);
    actOnErrorPage(window, server);
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void follow(window, server, server.state);
    });
    void follow(window, server, server.state, address);
  }

  function show(): void {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  return { open, show };
}

function createWindow(memory: ShellMemory): BrowserWindow {
  const other = BrowserWindow.getFocusedWindow();
  const saved = memory.get().window;
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
  if (!other && saved?.isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  return window;
}

/** Shows what the server's state calls for. A window that waits keeps what it shows. */
async function follow(
  window: BrowserWindow,
  server: ServerProcess,
  state: ServerState,
  address?: string,
): Promise<void> {
  if (state.phase === 'failed') return load(window, errorPageUrl(state));
  if (state.phase !== 'running') return;
  try {
    await load(window, withPageOf(await server.signInUrl(), address ?? window.webContents.getURL()));
  } catch (error) {
    if (server.state !== state) return;
    await load(
      window,
      errorPageUrl({ message: error instanceof Error ? error.message : String(error), detail: '' }),
    );
  }
}

/** The sign-in address, led to the page of `address` when that is one of the console's: after a restart a window stays where it was. */
function withPageOf(signIn: string, address: string): string {
  const url = new URL(signIn);
  if (!URL.canParse(address) || new URL(address).origin !== url.origin) return signIn;
  const { pathname, search } = new URL(address);
  return new URL(`${pathname}${search}${url.hash}`, url).href;
}

async function load(window: BrowserWindow, url: string): Promise<void> {
  if (!window.isDestroyed()) await window.loadURL(url);
}

function actOnErrorPage(window: BrowserWindow, server: ServerProcess): void {
  window.webContents.on('will-frame-navigate', (event) => {
    if (!window.webContents.getURL().startsWith('data:')) return;
    if (event.url === errorPageActions.retry) void server.start();
    if (event.url === errorPageActions.quit) app.quit();
  });
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

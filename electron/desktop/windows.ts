import { app, BrowserWindow } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import { createConsoleWindow } from './console-window.ts';
import { errorPageActions, errorPageUrl } from './error-page.ts';
import type { ShellMemory } from './shell-state.ts';

export interface Windows {
  /** Opens a window, on the console's start page or on one of its pages. Call when the app is ready. */
  open(page?: string): void;
  /** Brings the last used window to the front; opens one when there is none. */
  show(): void;
}

export interface WindowsOptions {
  server: ServerProcess;
  address: ConsoleAddress;
  memory: ShellMemory;
}

/** Console windows: each signs itself in, follows the server through restarts, and shows why when there is none. */
export function setupWindows({ server, address, memory }: WindowsOptions): Windows {
  server.watch(() => {
    for (const window of BrowserWindow.getAllWindows()) void follow(window);
  });

  function open(page?: string): void {
    const window = createConsoleWindow(memory);
    window.webContents.on('will-frame-navigate', (event) => {
      if (window.webContents.getURL().startsWith('data:')) act(window, event.url);
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void follow(window);
    });
    void follow(window, page);
  }

  function show(): void {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Shows what the server's state calls for. While the server starts, a window keeps what it shows. */
  async function follow(window: BrowserWindow, page = window.webContents.getURL()): Promise<void> {
    const { state } = server;
    if (state.phase === 'failed') return load(window, errorPageUrl(state));
    if (state.phase !== 'running') return;
    try {
      await load(window, withPageOf(await address.signInUrl(), page));
    } catch (error) {
      const { message } = error as Error;
      if (server.state !== state || message.includes('ERR_ABORTED')) return;
      await load(window, errorPageUrl({ message, detail: '' }));
    }
  }

  /** Does what a button of the error page says. */
  function act(window: BrowserWindow, action: string): void {
    if (action === errorPageActions.quit) app.quit();
    if (action !== errorPageActions.retry) return;
    if (server.state.phase === 'running') void follow(window);
    else void server.start();
  }

  // macOS also says this while the app starts.
  app.on('activate', () => {
    if (app.isReady() && BrowserWindow.getAllWindows().length === 0) open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  return { open, show };
}

/** The sign-in address, led to `page` when that is one of the console's: after a restart a window stays where it was. */
function withPageOf(signIn: string, page: string): string {
  const url = new URL(signIn);
  if (!URL.canParse(page) || new URL(page).origin !== url.origin) return signIn;
  const { pathname, search } = new URL(page);
  return new URL(`${pathname}${search}${url.hash}`, url).href;
}

async function load(window: BrowserWindow, url: string): Promise<void> {
  if (!window.isDestroyed()) await window.loadURL(url);
}

import { app, BrowserWindow, shell } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import { requestPage } from './bridge.ts';
import { createConsoleWindow } from './console-window.ts';
import { errorPageUrl, shellPageActions, startPageUrl } from './shell-pages.ts';
import type { ShellMemory } from './shell-state.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

export interface Windows {
  /** Opens a window, on the console's start page or on one of its pages. Call when the app is ready. */
  open(page?: string): void;
  /** Brings the last used window to the front; opens one when there is none. */
  show(): void;
  /** Shows the settings of the app in the last used window, or in a new one. */
  showAppSettings(): Promise<void>;
}

export interface WindowsOptions {
  server: ServerProcess;
  address: ConsoleAddress;
  memory: ShellMemory;
  unsaved: UnsavedChanges;
}

/** A server that starts faster needs no page of its own. */
const START_PAGE_AFTER_MS = 250;
/** Without a new step for so long, the start page offers a way out. */
const SLOW_AFTER_MS = 60_000;

/** Console windows: each signs itself in, follows the server through restarts, and shows why when there is none. */
export function setupWindows({ server, address, memory, unsaved }: WindowsOptions): Windows {
  /** The console page of each window, which survives the shell's own pages in between. */
  const consolePages = new WeakMap<BrowserWindow, string>();
  let startPage: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;
  let isShowingStart = false;

  server.watch((state) => {
    clearTimeout(slow);
    if (state.phase === 'starting') {
      if (isShowingStart) showStart(false);
      else startPage ??= setTimeout(() => showStart(false), START_PAGE_AFTER_MS);
      slow = setTimeout(() => showStart(true), SLOW_AFTER_MS);
    } else {
      clearTimeout(startPage);
      startPage = undefined;
      isShowingStart = false;
      for (const window of BrowserWindow.getAllWindows()) void follow(window);
    }
  });
  server.watchSilence((isSilent) => {
    for (const window of BrowserWindow.getAllWindows())
      void requestPage(window, 'showServer', { phase: isSilent ? 'silent' : 'running', step: null });
  });

  function open(page?: string): void {
    const window = createConsoleWindow(memory);
    if (page !== undefined) consolePages.set(window, page);
    window.webContents.on('will-frame-navigate', (event) => {
      if (isShellPage(window)) act(window, event.url);
    });
    const remember = (): void => {
      if (!isShellPage(window)) consolePages.set(window, window.webContents.getURL());
    };
    window.webContents.on('did-navigate', remember);
    window.webContents.on('did-navigate-in-page', remember);
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void follow(window);
    });
    void follow(window);
  }

  function show(): void {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  async function showAppSettings(): Promise<void> {
    show();
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window !== undefined) await requestPage(window, 'showAppSettings', undefined);
  }

  /** A window without a console page shows what the server is doing; a page of the console says so itself. */
  function showStart(isSlow: boolean): void {
    const { state } = server;
    if (state.phase !== 'starting') return;
    isShowingStart = true;
    for (const window of BrowserWindow.getAllWindows()) {
      if (isConsolePage(window))
        void requestPage(window, 'showServer', { phase: 'starting', step: state.step });
      else void load(window, startPageUrl({ step: state.step, isSlow })).catch(() => {});
    }
  }

  /** Shows what the server's state calls for. */
  async function follow(window: BrowserWindow): Promise<void> {
    const { state } = server;
    if (state.phase === 'failed') return load(window, errorPageUrl(state));
    if (state.phase !== 'running') return;
    // A reload of the page would lose its edits; it signs in again with its next request.
    if (unsaved.has(window))
      return void (await requestPage(window, 'showServer', { phase: 'running', step: null }));
    try {
      await load(window, withPageOf(await address.signInUrl(), consolePages.get(window)));
    } catch (error) {
      const { message } = error as Error;
      if (server.state !== state || message.includes('ERR_ABORTED')) return;
      await load(window, errorPageUrl({ message, detail: '' }));
    }
  }

  /** Does what a button of a shell page says. */
  function act(window: BrowserWindow, action: string): void {
    if (action === shellPageActions.quit) app.quit();
    if (action === shellPageActions.showFolder && server.state.phase === 'starting' && server.state.dataDir)
      void shell.openPath(server.state.dataDir);
    if (action !== shellPageActions.retry) return;
    if (server.state.phase === 'running') void follow(window);
    else void server.start();
  }

  // macOS also says this while the app starts.
  app.on('activate', () => {
    if (app.isReady() && BrowserWindow.getAllWindows().length === 0) open();
  });
  return { open, show, showAppSettings };
}

function isShellPage(window: BrowserWindow): boolean {
  return window.webContents.getURL().startsWith('data:');
}

function isConsolePage(window: BrowserWindow): boolean {
  return window.webContents.getURL().startsWith('http');
}

/** The sign-in address, led to `page` when that is one of the console's: after a restart a window stays where it was. */
function withPageOf(signIn: string, page: string | undefined): string {
  const url = new URL(signIn);
  // Windows show nothing but pages of the console, whose server may be on another port now.
  if (page === undefined || !URL.canParse(page) || !page.startsWith('http')) return signIn;
  const { pathname, search } = new URL(page);
  return new URL(`${pathname}${search}${url.hash}`, url).href;
}

async function load(window: BrowserWindow, url: string): Promise<void> {
  if (!window.isDestroyed()) await window.loadURL(url);
}

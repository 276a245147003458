import { app, type BrowserWindow } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { Failed, ServerProcess } from '../server-process.ts';
import { requestPage } from './bridge.ts';
import { consoleWindows, createConsoleWindow, focusedConsoleWindow } from './console-window.ts';
import { contentsOf, type FailureActions } from './failure-actions.ts';
import { failurePageUrl } from './failure-page.ts';
import { shellPageActions, startPageUrl, type ShellPageAction } from './shell-pages.ts';
import type { ShellMemory, WindowPlace } from './shell-state.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

export interface Windows {
  /** Opens a window, on the console's start page or on one of its pages, here or there. Call when the app is ready. */
  open(page?: string, place?: WindowPlace): void;
  /** Brings the last used window to the front; opens one when there is none. */
  show(): void;
  /** Shows a page of the console, a path, in the last used window. */
  goTo(page: string): void;
  /** Shows the settings of the app in the last used window, or in a new one. */
  showAppSettings(): Promise<void>;
  /** Shows what is being done before the server starts again. */
  showStep(step: string): void;
}

export interface WindowsOptions {
  server: ServerProcess;
  address: ConsoleAddress;
  memory: ShellMemory;
  unsaved: UnsavedChanges;
  /** What the buttons of the error page do; called only once a window is open. */
  act: FailureActions;
}

/** A server that starts faster needs no page of its own: loading one would delay the console by 0.15 s. */
const START_PAGE_AFTER_MS = 1_000;
/** Without a new step for so long, the start page offers a way out. */
const SLOW_AFTER_MS = 60_000;
/** A page that does not answer for so long is loaded again. */
const GO_LIMIT_MS = 2_000;
/** Chromium's code of a load that another one replaced. */
const ERR_ABORTED = -3;

/** Console windows: each signs itself in, follows the server through restarts, and shows why when there is none. */
export function setupWindows({ server, address, memory, unsaved, act }: WindowsOptions): Windows {
  /** The console page of each window, which survives the shell's own pages in between. */
  const consolePages = new WeakMap<BrowserWindow, string>();
  /** A button whose action is under way. */
  const pressed = new WeakSet<BrowserWindow>();
  let startPage: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;
  let isShowingStart = false;
  /** The steps of this start. */
  let steps: string[] = [];

  server.watch((state) => {
    clearTimeout(slow);
    if (state.phase === 'starting') {
      if (state.step !== null && state.step !== steps.at(-1)) steps.push(state.step);
      if (isShowingStart) showStart(false);
      else startPage ??= setTimeout(() => showStart(false), START_PAGE_AFTER_MS);
      slow = setTimeout(() => showStart(true), SLOW_AFTER_MS);
    } else {
      clearTimeout(startPage);
      startPage = undefined;
      steps = [];
      isShowingStart = false;
      for (const window of consoleWindows()) void follow(window);
    }
  });
  server.watchSilence((isSilent) => {
    for (const window of consoleWindows())
      void requestPage(window, 'showServer', { phase: isSilent ? 'silent' : 'running', step: null });
  });

  function open(page?: string, place?: WindowPlace): void {
    const window = createConsoleWindow(memory, place);
    if (page !== undefined) consolePages.set(window, page);
    window.webContents.on('will-frame-navigate', (event) => {
      if (isShellPage(window)) void press(window, event.url);
    });
    const remember = (): void => {
      if (!isShellPage(window)) consolePages.set(window, window.webContents.getURL());
    };
    window.webContents.on('did-navigate', remember);
    window.webContents.on('did-navigate-in-page', remember);
    window.on('page-title-updated', (event, title) => {
      if (server.state.phase !== 'running' || !server.state.isAttached) return;
      event.preventDefault();
      window.setTitle(`${title} (attached)`);
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void follow(window);
    });
    void follow(window);
  }

  function show(): void {
    const window = focusedConsoleWindow() ?? consoleWindows()[0];
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  function goTo(page: string): void {
    const window = focusedConsoleWindow() ?? consoleWindows()[0];
    if (window === undefined) return open(page);
    show();
    // It is loaded once the server runs.
    if (!isConsolePage(window)) return void consolePages.set(window, page);
    void requestPage(window, 'goTo', page, GO_LIMIT_MS).then((hasGone) => {
      const origin = address.origin();
      // A shared dashboard is no page of the console.
      if (hasGone !== true && origin !== null) void load(window, new URL(page, origin).href).catch(report);
    });
  }

  async function showAppSettings(): Promise<void> {
    const { state, status } = server;
    const window = focusedConsoleWindow() ?? consoleWindows()[0];
    if (window !== undefined) {
      show();
      await requestPage(window, 'showAppSettings', undefined);
    } else if (state.phase === 'running' && status !== null)
      open(new URL(`/project/${status.projectId}/settings/app`, state.url).href);
  }

  /** A window without a console page shows what the server is doing; a page of the console says so itself. */
  function showStart(isSlow: boolean): void {
    const { state } = server;
    if (state.phase !== 'starting') return;
    isShowingStart = true;
    for (const window of consoleWindows()) {
      if (isConsolePage(window))
        void requestPage(window, 'showServer', { phase: 'starting', step: state.step });
      else void load(window, startPageUrl({ ...state, done: steps.slice(0, -1), isSlow })).catch(report);
    }
  }

  /** Shows what the server's state calls for. */
  async function follow(window: BrowserWindow): Promise<void> {
    const { state } = server;
    if (state.phase === 'failed') return showFailure(window, state);
    if (state.phase !== 'running') return;
    // A reload of the page would lose its edits; it signs in again with its next request.
    if (unsaved.has(window))
      return void (await requestPage(window, 'showServer', { phase: 'running', step: null }));
    try {
      await load(window, withPageOf(await address.signInUrl(), consolePages.get(window)));
    } catch (error) {
      const message = withoutToken((error as Error).message);
      if (server.state !== state) return;
      console.error(`A window could not load the console: ${message}`);
      await load(window, failurePage({ reason: 'other', message, detail: '', port: null, dataDir: null }));
    }
  }

  /** What is not saved stays on its page, and another window has the error page. */
  async function showFailure(window: BrowserWindow, state: Failed): Promise<void> {
    if (!unsaved.has(window)) return load(window, failurePage(state));
    void requestPage(window, 'showServer', { phase: 'failed', step: state.message });
    if (consoleWindows().every((one) => unsaved.has(one))) open();
  }

  /** Does what a button of a shell page says; what did not help is said on that page. */
  async function press(window: BrowserWindow, address: string): Promise<void> {
    const found = Object.entries(shellPageActions).find(([, value]) => value === address);
    if (found === undefined || pressed.has(window)) return;
    const action = found[0] as ShellPageAction;
    if (action === 'retry' && server.state.phase === 'running') return follow(window);
    pressed.add(window);
    try {
      await act(action, window);
    } catch (error) {
      const { state } = server;
      if (state.phase === 'failed') showOnShellPages(failurePage(state, (error as Error).message));
      else console.error(`${action} did not work: ${(error as Error).message}`);
    } finally {
      pressed.delete(window);
    }
  }

  function showStep(step: string): void {
    showOnShellPages(startPageUrl({ step, done: [], dataDir: null, isSlow: false }));
  }

  // macOS also says this while the app starts.
  app.on('activate', () => {
    if (app.isReady() && consoleWindows().length === 0) open();
  });
  return { open, show, goTo, showAppSettings, showStep };
}

function failurePage(failure: Omit<Failed, 'phase'>, problem = ''): string {
  const contents =
    failure.dataDir === null ? { newestBackup: null, hasSettings: false } : contentsOf(failure.dataDir);
  return failurePageUrl({ ...failure, ...contents, problem, version: app.getVersion() });
}

function showOnShellPages(url: string): void {
  for (const window of consoleWindows().filter(isShellPage)) load(window, url).catch(report);
}

/** Electron names the address in its messages, and a token in it signs its reader in. */
function report(error: unknown): void {
  console.error(withoutToken((error as Error).message));
}

function withoutToken(message: string): string {
  return message.replace(/#token=[\w%-]+/, '');
}

function isShellPage(window: BrowserWindow): boolean {
  return window.webContents.getURL().startsWith('data:');
}

function isConsolePage(window: BrowserWindow): boolean {
  return window.webContents.getURL().startsWith('http');
}

/** The sign-in address, led to `page` (an address or a path) when that is one of the console's: after a restart a window stays where it was. */
function withPageOf(signIn: string, page: string | undefined): string {
  const url = new URL(signIn);
  // Windows show nothing but pages of the console, whose server may be on another port now.
  if (page === undefined || !URL.canParse(page, url.href)) return signIn;
  const { protocol, pathname, search } = new URL(page, url);
  if (!protocol.startsWith('http')) return signIn;
  return new URL(`${pathname}${search}${url.hash}`, url).href;
}

/**
 * Rejects when the page cannot be loaded. `loadURL` rejects also when the page before it stops loading (ERR_FAILED), or is
 * replaced by it (ERR_ABORTED, seen in 5 % of loads that came within 40 ms of another), though it is shown in the end; only a
 * real failure is a `did-fail-load` of another code.
 */
async function load(window: BrowserWindow, url: string): Promise<void> {
  if (window.isDestroyed()) return;
  const { webContents } = window;
  let hasFailed = false;
  const note = (_event: unknown, code: number, _description: string, _url: string, isMainFrame: boolean) => {
    hasFailed ||= isMainFrame && code !== ERR_ABORTED;
  };
  webContents.on('did-fail-load', note);
  try {
    await window.loadURL(url);
  } catch (error) {
    if (hasFailed) throw error;
  } finally {
    webContents.off('did-fail-load', note);
  }
}

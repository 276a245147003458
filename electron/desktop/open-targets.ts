import { app } from 'electron';
import { basename } from 'node:path';
import { targetsOf } from '../app-arguments.ts';
import type { PageArgument } from '../channels.ts';
import type { ServerProcess } from '../server-process.ts';
import { requestPage } from './bridge.ts';
import { consoleWindows, focusedConsoleWindow, showMessage } from './console-window.ts';
import { parseTarget, readSmallFile } from './links.ts';
import type { Windows } from './windows.ts';

/** The server takes no larger body. */
const MOST_FLAG_BYTES = 20_000_000;
const PAGE_TRIES = 200;
const PAGE_TRY_MS = 300;
const RELOAD_LIMIT_MS = 10_000;

export interface Targets {
  /** Opens what a command line names, relative to `folder`; brings the window to the front when it names nothing. */
  openAll(argv: readonly string[], folder: string): void;
  /** Opens what the system and the command line named before the app was ready. */
  begin(): void;
  /** Asks whether to restore this file. */
  openBackup(file: string): Promise<undefined>;
}

/**
 * Opens links and files: from the command line, from a second start, from the system, and dropped on a page. A link only
 * shows something; a file is opened with a question, so that nothing changes by a click on either.
 */
export function setupTargets({ server, windows }: { server: ServerProcess; windows: Windows }): Targets {
  let waiting: { text: string; folder: string }[] | null = [];
  const whenRunning: (() => void)[] = [];

  server.watch(({ phase }) => {
    if (phase === 'running') for (const resolve of whenRunning.splice(0)) resolve();
  });
  // Only macOS sends these, the first ones before the app is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(url, '/');
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    open(file, '/');
  });

  function open(text: string, folder: string): void {
    if (waiting !== null) return void waiting.push({ text, folder });
    const target = parseTarget(text, folder);
    if (target.kind === 'page') windows.goTo(target.path);
    else {
      windows.show();
      if (target.kind === 'backup') void openBackup(target.file);
      else if (target.kind === 'flags') void openFlags(target.file);
      else void showMessage({ type: 'info', message: target.reason });
    }
  }

  async function openBackup(file: string): Promise<undefined> {
    const name = basename(file);
    try {
      await running();
      const events = await server.readBackup(file);
      if (events === null)
        return void (await showMessage({
          type: 'error',
          message: `${name} is not a backup of Burrow.`,
          detail: 'It does not exist, cannot be read, or is another kind of file. Nothing was changed.',
        }));
      const count = `${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'}`;
      const answer = await showMessage({
        type: 'warning',
        message: `Restore ${name}?`,
        detail:
          `It holds ${count}. Burrow restarts briefly and replaces its database with a copy of this file. ` +
          'Members and API keys will be those of the backup. The current database is not lost: it is moved to a file in the data folder.',
        buttons: ['Restore', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      });
      if (answer !== 0) return;
      const isBack = new Promise<void>((resolve) => void whenRunning.push(resolve));
      const problem = await server.restoreBackup(file);
      if (problem === null) {
        await isBack;
        await reloaded();
        // The page that says what came of it.
        await untilPage('goTo', '/link/storage');
      } else
        await showMessage({
          type: 'error',
          message: `${name} was not restored.`,
          detail: `${problem} Nothing was changed.`,
        });
    } catch (error) {
      await showMessage({
        type: 'error',
        message: `${name} could not be opened.`,
        detail: `${(error as Error).message} Nothing was changed.`,
      });
    }
  }

  /** Hands the file to the console, whose dialog shows what would change. */
  async function openFlags(file: string): Promise<void> {
    const name = basename(file);
    try {
      await untilPage('openFlagFile', { name, text: readSmallFile(file, MOST_FLAG_BYTES) });
    } catch (error) {
      await showMessage({
        type: 'error',
        message: `${name} could not be opened.`,
        detail: (error as Error).message,
      });
    }
  }

  async function running(): Promise<void> {
    if (server.state.phase !== 'running')
      await new Promise<void>((resolve) => void whenRunning.push(resolve));
  }

  return {
    openAll(argv, folder) {
      const targets = targetsOf(argv, app.isPackaged);
      if (targets.length === 0) windows.show();
      for (const target of targets) open(target, folder);
    },
    begin() {
      const before = waiting ?? [];
      waiting = null;
      for (const text of targetsOf(process.argv, app.isPackaged)) open(text, process.cwd());
      for (const { text, folder } of before) open(text, folder);
    },
    openBackup,
  };
}

/** Sends a request to the window in use until its page takes it: while it is loaded it listens to nothing. */
async function untilPage<Name extends 'goTo' | 'openFlagFile'>(
  name: Name,
  argument: PageArgument<Name>,
): Promise<void> {
  for (let tries = 0; tries < PAGE_TRIES; tries += 1) {
    const window = focusedConsoleWindow() ?? consoleWindows()[0];
    if (window && (await requestPage(window, name, argument, 2_000)) === true) return;
    await new Promise((resolve) => setTimeout(resolve, PAGE_TRY_MS));
  }
}

/** Waits until the window in use is loaded again after a restart of the server; one with unsaved changes is not. */
async function reloaded(): Promise<void> {
  const contents = (focusedConsoleWindow() ?? consoleWindows()[0])?.webContents;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, RELOAD_LIMIT_MS);
    contents?.once('did-finish-load', () => resolve());
  });
}

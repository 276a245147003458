import { dialog, shell, type BrowserWindow } from 'electron';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serverMessage, type ServerMessage } from '../server-messages.ts';
import type { ServerChild, ServerProcess } from '../server-process.ts';
import type { FolderContents } from './failure-page.ts';
import type { ShellPageAction } from './shell-pages.ts';

const LOOK_LIMIT_MS = 2_000;
const SETTINGS_FILE = 'settings.json';

export interface FailureActionsOptions {
  server: ServerProcess;
  /** Runs a command of the server's program. */
  fork: (args: readonly string[]) => ServerChild;
  openFolder: (window: BrowserWindow) => Promise<void>;
  copyDiagnostics: () => Promise<void>;
  quit: () => void;
  /** Shows what is being done for the failure. */
  onStep: (step: string) => void;
}

/** Does what a button of the error page says. Rejects with a sentence when that did not help. */
export type FailureActions = (action: ShellPageAction, window: BrowserWindow) => Promise<void>;

export function createFailureActions(options: FailureActionsOptions): FailureActions {
  const { server, fork, openFolder, copyDiagnostics, quit, onStep } = options;

  /** A console address of the server that runs on the folder, whose key only its own program reads. */
  async function otherSignInUrl(): Promise<string> {
    return (await outcomeOf(fork(['url']), 'sign-in')).consoleUrl;
  }

  async function attach(dataDir: string): Promise<void> {
    const url = new URL(await otherSignInUrl()).origin;
    const isThere = (): Promise<boolean> =>
      fetch(`${url}/_readiness`, { signal: AbortSignal.timeout(LOOK_LIMIT_MS) }).then(
        () => true,
        // No answer is what the caller counts.
        () => false,
      );
    server.attach({ url, dataDir, signInUrl: otherSignInUrl, isThere });
  }

  async function restore(window: BrowserWindow, dataDir: string): Promise<void> {
    const { filePaths } = await dialog.showOpenDialog(window, {
      title: 'Restore a backup',
      buttonLabel: 'Choose',
      defaultPath: backupFolder(dataDir),
      filters: [{ name: 'Burrow databases', extensions: ['duckdb'] }],
      properties: ['openFile'],
    });
    const file = filePaths[0];
    if (file === undefined || !(await confirmRestore(window, file))) return;
    onStep(`Restoring ${basename(file)}`);
    await outcomeOf(fork(['restore', file]), 'restored');
    await server.start();
  }

  return async (action, window) => {
    if (action === 'quit') return quit();
    if (action === 'copyDiagnostics') return copyDiagnostics();
    if (action === 'openFolder') return openFolder(window);
    const { state } = server;
    const dataDir = 'dataDir' in state ? state.dataDir : null;
    if (action === 'showFolder' && dataDir !== null) return void shell.openPath(dataDir);
    if (state.phase !== 'failed') return;
    if (action === 'retry') return server.start();
    if (action === 'otherPort') return server.startOnFreePort();
    if (dataDir === null) return;
    if (action === 'attach') return attach(dataDir);
    if (action === 'restore') return restore(window, dataDir);
    if (action === 'defaultOptions') {
      setSettingsAside(dataDir);
      return server.start();
    }
  };
}

async function confirmRestore(window: BrowserWindow, file: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Burrow',
    message: 'Restore this backup?',
    detail: `${file} takes the place of the damaged database, which is kept beside it. Events stored after the backup are missing.`,
    buttons: ['Restore', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/** What helps of a folder that is not open. */
export function contentsOf(dataDir: string): FolderContents {
  return { newestBackup: newestBackup(dataDir), hasSettings: existsSync(join(dataDir, SETTINGS_FILE)) };
}

/** Under a name that is free. */
function setSettingsAside(dataDir: string): void {
  const file = join(dataDir, SETTINGS_FILE);
  let aside = `${file}.old`;
  for (let count = 2; existsSync(aside); count += 1) aside = `${file}.old-${count}`;
  renameSync(file, aside);
}

/** Backups are named by their time, so that the last one is the newest; null: there is none. */
function newestBackup(dataDir: string): string | null {
  try {
    const names = readdirSync(backupFolder(dataDir)).filter((name) => /^burrow-[\d-]+\.duckdb$/.test(name));
    return names.toSorted().at(-1) ?? null;
  } catch {
    return null;
  }
}

type Outcome = Extract<ServerMessage, { type: 'sign-in' | 'restored' }>;

/**
 * Resolves with what a command of the server's program comes to: `url` to a console address of the server that runs on the
 * folder, `restore` to a restored backup. Rejects with the sentence that says why not.
 */
function outcomeOf<Type extends Outcome['type']>(
  child: ServerChild,
  type: Type,
): Promise<Extract<Outcome, { type: Type }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      const { data } = serverMessage.safeParse(message);
      if (data?.type === type) resolve(data as Extract<Outcome, { type: Type }>);
      if (data?.type === 'failed') reject(new Error(data.message.split('\n', 1)[0]));
    });
    child.once('exit', (code) =>
      reject(new Error(`The command ended without a result (exit code ${code}).`)),
    );
  });
}

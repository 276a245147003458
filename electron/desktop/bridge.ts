import { BrowserWindow, ipcMain, nativeTheme, shell, type WebContents } from 'electron';
import {
  channels,
  PAGE_ANSWER,
  pageChannels,
  type Argument,
  type ChannelName,
  type PageArgument,
  type PageChannelName,
  type PageResult,
  type Result,
} from '../channels.ts';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import type { SettingsOfApp } from './app-settings.ts';
import type { DataFolders } from './data-folders.ts';
import type { ShellMemory } from './shell-state.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

type Handlers = {
  [Name in ChannelName]: (
    argument: Argument<Name>,
    sender: WebContents,
  ) => Promise<Result<Name>> | Result<Name>;
};

export interface BridgeOptions {
  address: ConsoleAddress;
  memory: ShellMemory;
  server: ServerProcess;
  unsaved: UnsavedChanges;
  /** Asks whether to restore this file. */
  openBackup: (file: string) => Promise<undefined>;
  /** Shows a file that was saved in this run, by its number. */
  showSaved: (id: number) => void;
  settings: SettingsOfApp;
  folders: DataFolders;
}

/** A page that does not answer for so long is taken to have said no. */
const ANSWER_LIMIT_MS = 30_000;

/** Answers every channel of the table, to pages of the console only and with arguments that fit the schema. */
export function setupBridge({
  address,
  memory,
  server,
  unsaved,
  openBackup,
  showSaved,
  settings,
  folders,
}: BridgeOptions): void {
  nativeTheme.themeSource = memory.get().theme;
  const handlers: Handlers = {
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
      memory.set({ theme });
    },
    openDataFolder: async () => {
      const { state } = server;
      const folder = state.phase === 'running' ? state.dataDir : null;
      if (folder === null) throw new Error('There is no data folder.');
      const problem = await shell.openPath(folder);
      if (problem !== '') throw new Error(problem);
    },
    setUnsaved: (isUnsaved, sender) => {
      unsaved.set(sender, isUnsaved);
    },
    signIn: (_nothing, sender) => signInPage(sender, address),
    openBackup: (file) => openBackup(file),
    showInFolder: (id) => {
      showSaved(id);
    },
    changeAppSettings: (changes) => settings.changeApp(changes),
    changeServerOptions: (changes) => settings.changeServer(changes),
    dataFolders: () => folders.list(),
    switchDataFolder: (wish, sender) => folders.open(wish, BrowserWindow.fromWebContents(sender)),
    isAttached: () => server.state.phase === 'running' && server.state.isAttached,
    restartServer: () => settings.restartServer(),
  };
  for (const name of Object.keys(channels) as ChannelName[]) {
    ipcMain.handle(name, (event, argument: unknown) => {
      const origin = event.senderFrame && new URL(event.senderFrame.url).origin;
      if (origin === null || origin !== address.origin()) throw new Error('Only the console can do this.');
      const handle = handlers[name] as (argument: unknown, sender: WebContents) => unknown;
      return handle(channels[name].argument.parse(argument), event.sender);
    });
  }
}

let requestCount = 0;

/** Sends a request to a window's page; undefined when the page has no answer that fits the schema, or none within `limitMs`. */
export async function requestPage<Name extends PageChannelName>(
  window: BrowserWindow,
  name: Name,
  argument: PageArgument<Name>,
  limitMs = ANSWER_LIMIT_MS,
): Promise<PageResult<Name> | undefined> {
  if (window.isDestroyed()) return undefined;
  const id = (requestCount += 1);
  const contents = window.webContents;
  const result = await new Promise<unknown>((resolve) => {
    const end = (value: unknown): void => {
      clearTimeout(timer);
      ipcMain.off(PAGE_ANSWER, onAnswer);
      resolve(value);
    };
    const timer = setTimeout(() => end(undefined), limitMs);
    const onAnswer = (event: Electron.IpcMainEvent, answered: unknown, value: unknown): void => {
      if (event.sender === contents && answered === id) end(value);
    };
    ipcMain.on(PAGE_ANSWER, onAnswer);
    contents.once('destroyed', () => end(undefined));
    contents.send(name, id, argument);
  });
  const parsed = pageChannels[name].result.safeParse(result);
  return parsed.success ? (parsed.data as PageResult<Name>) : undefined;
}

/**
 * Exchanges a sign-in link for the session cookie of a page without reloading it: after a restart of the server the
 * session is lost, and unsaved edits must not be.
 */
async function signInPage(page: WebContents, address: ConsoleAddress): Promise<boolean> {
  try {
    const link = new URL(await address.signInUrl());
    const token = new URLSearchParams(link.hash.slice(1)).get('token');
    const answer = await page.session.fetch(new URL('/api/burrow/session/', link).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      credentials: 'include',
    });
    return answer.ok;
  } catch {
    return false;
  }
}

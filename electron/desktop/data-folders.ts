import { app, dialog, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DATA_DIR, targetsOf, withoutDataDir } from '../app-arguments.ts';
import type { Argument, Result } from '../channels.ts';
import type { LaunchFile } from '../launch-file.ts';
import type { ServerProcess } from '../server-process.ts';
import { HIDDEN } from './login-item.ts';

/** What Burrow itself keeps in a data folder, before there is a database too. */
const OWN = /^(burrow\..*|settings\.json.*|notices\.json|ending\.json|backups|desktop|\..*|desktop\.ini)$/i;
const DATABASE = 'burrow.duckdb';

export interface DataFolders {
  list(): Promise<Result<'dataFolders'>>;
  /** Opens the folder in this app's place, after unsaved changes are settled; false when the user canceled. */
  open(wish: Argument<'switchDataFolder'>, window: BrowserWindow | null): Promise<boolean>;
  menuItems(): MenuItemConstructorOptions[];
  /** Calls back when the recent folders have changed. */
  watch(listener: () => void): void;
}

/** Opens other data folders: the app is started again on them, since its lock and its profile lie in the folder. */
export function setupDataFolders({
  server,
  launch,
  dataDir,
  relaunch,
}: {
  server: Pick<ServerProcess, 'state' | 'watch'>;
  launch: LaunchFile;
  dataDir: string | null;
  /** Quits as the menu does, and starts the app with these arguments; `onLeave` runs once nothing can cancel it. */
  relaunch: (args: readonly string[], onLeave: () => void) => void;
}): DataFolders {
  const listeners: (() => void)[] = [];
  let recent: Result<'dataFolders'>['recent'] = [];

  server.watch((state) => {
    if (state.phase !== 'running' || state.isAttached) return;
    if (dataDir === null && state.dataDir !== null) launch.setUsual(state.dataDir);
    void refresh();
  });
  void refresh();

  /** Looks for the recent folders without waiting for a drive that hangs. */
  async function refresh(): Promise<void> {
    const found = await Promise.all(
      launch.get().recent.map(async (folder) => ({ folder, isMissing: !(await exists(folder)) })),
    );
    if (JSON.stringify(found) === JSON.stringify(recent)) return;
    recent = found;
    for (const listener of listeners) listener();
  }

  function current(): string | null {
    const { state } = server;
    return ('dataDir' in state ? state.dataDir : null) ?? dataDir;
  }

  async function chosenFolder(
    wish: Argument<'switchDataFolder'>,
    window: BrowserWindow | null,
  ): Promise<string | null> {
    if (wish.kind === 'recent') return launch.get().recent.find((folder) => folder === wish.folder) ?? null;
    const folder = wish.kind === 'new' ? await nameNew(window) : await chooseExisting(window);
    return folder === null ? null : fitting(folder, window);
  }

  async function open(wish: Argument<'switchDataFolder'>, window: BrowserWindow | null): Promise<boolean> {
    const folder = await chosenFolder(wish, window);
    if (folder === null || (folder === current() && server.state.phase === 'running')) return false;
    // What it was started to open is of the folder that is left.
    const left = new Set([HIDDEN, ...targetsOf(process.argv, app.isPackaged)]);
    const args = withoutDataDir(process.argv.slice(1)).filter((argument) => !left.has(argument));
    relaunch([...args, `${DATA_DIR}=${folder}`], () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      launch.open(folder, current());
    });
    return true;
  }

  function menuItems(): MenuItemConstructorOptions[] {
    const others = recent.filter(({ folder }) => folder !== current());
    return [
      { label: 'New Data Fold&er…', click: (_item, window) => void open({ kind: 'new' }, asWindow(window)) },
      {
        label: '&Open Data Folder…',
        accelerator: 'CommandOrControl+O',
        click: (_item, window) => void open({ kind: 'choose' }, asWindow(window)),
      },
      {
        label: 'Open &Recent',
        enabled: others.length > 0,
        submenu: others.map(({ folder, isMissing }) => ({
          // A single ampersand would mark the key of the item.
          label: `${folder.replaceAll('&', '&&')}${isMissing ? ' (missing)' : ''}`,
          enabled: !isMissing,
          click: (_item, window) => void open({ kind: 'recent', folder }, asWindow(window)),
        })),
      },
    ];
  }

  return {
    async list() {
      await refresh();
      return { current: current(), recent: recent.filter(({ folder }) => folder !== current()) };
    },
    open,
    menuItems,
    watch: (listener) => void listeners.push(listener),
  };
}

/** Whatever hinders access, the folder cannot be opened now. */
async function exists(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    // Missing, or on a drive that does not answer.
    () => false,
  );
}

function asWindow(window: Electron.BaseWindow | undefined): BrowserWindow | null {
  return (window as BrowserWindow | undefined) ?? null;
}

async function chooseExisting(window: BrowserWindow | null): Promise<string | null> {
  const options: Electron.OpenDialogOptions = {
    title: 'Open data folder',
    buttonLabel: 'Open',
    properties: ['openDirectory', 'createDirectory'],
  };
  const { filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return filePaths[0] ?? null;
}

async function nameNew(window: BrowserWindow | null): Promise<string | null> {
  const options: Electron.SaveDialogOptions = {
    title: 'New data folder',
    buttonLabel: 'Create',
    nameFieldLabel: 'Folder',
    defaultPath: join(app.getPath('documents'), 'Burrow'),
  };
  const { filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options));
  return filePath || null;
}

/** The folder when it is Burrow's, empty or new; for one with other files the user may take a new folder in it. */
async function fitting(folder: string, window: BrowserWindow | null): Promise<string | null> {
  if (isOwnOrEmpty(folder)) return folder;
  const inside = join(folder, 'Burrow');
  const options: Electron.MessageBoxOptions = {
    type: 'question',
    title: 'Burrow',
    message: `“${basename(folder)}” is not a data folder of Burrow`,
    detail: `It has other files and no ${DATABASE}. Burrow can keep its data in a folder “Burrow” inside of it.`,
    buttons: ['Use a Folder Inside', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response === 0 && isOwnOrEmpty(inside) ? inside : null;
}

function isOwnOrEmpty(folder: string): boolean {
  if (!existsSync(folder)) return true;
  try {
    const names = readdirSync(folder);
    return names.includes(DATABASE) || names.every((name) => OWN.test(name));
  } catch {
    // A file, or a folder that cannot be read: the server says what is wrong with it.
    return true;
  }
}

import type {
  AppSettings,
  Argument,
  Bridge,
  OptionChanges,
  PageArgument,
  Result,
  ServerOptions,
  Theme,
} from '../../electron/channels.ts';

export type { AppSettings, OptionChanges, ServerOptions };
export type DataFolders = Result<'dataFolders'>;

/** How the desktop app says that the server fares. */
export type ServerStatus = PageArgument<'showServer'>;

/** The desktop app around this page; nothing in a browser. */
function findDesktop(): Bridge | undefined {
  return (globalThis as { burrow?: Bridge }).burrow;
}

/** The bridge where there has to be one: on a page that only the desktop app has. */
function desktop(): Bridge {
  const found = findDesktop();
  if (found === undefined) throw new Error('This page is no window of the desktop app.');
  return found;
}

/** Whether this page is a window of the desktop app. */
export function isDesktop(): boolean {
  return findDesktop() !== undefined;
}

/** Opens the data folder in the system's file manager; false in a browser, which cannot. */
export async function openDataFolder(): Promise<boolean> {
  const desktop = findDesktop();
  await desktop?.openDataFolder(null);
  return desktop !== undefined;
}

/** Lets the desktop app's frame, menus and next window follow the console's theme. */
export function showThemeOnDesktop(theme: Theme): void {
  void findDesktop()?.setTheme(theme);
}

/** Lets the desktop app ask before it closes a window with changes that are not saved. */
export function markUnsavedOnDesktop(isUnsaved: boolean): void {
  void findDesktop()?.setUnsaved(isUnsaved);
}

/** Lets the desktop app save what this page has not saved; `save` says whether it is saved now. */
export function saveForDesktop(save: () => Promise<boolean>): void {
  findDesktop()?.listen('save', save);
}

/** Calls back when the desktop app sees its server go silent, start again, or answer again. */
export function watchServerOnDesktop(listener: (status: ServerStatus) => void): void {
  findDesktop()?.listen('showServer', (status) => void listener(status));
}

/** Calls back when the desktop app has saved a file of this page; `show` opens its folder. */
export function watchSavedOnDesktop(listener: (name: string, show: () => void) => void): void {
  const desktop = findDesktop();
  desktop?.listen('showSaved', ({ id, name }) => {
    listener(name, () => void desktop.showInFolder(id));
    return true;
  });
}

/** Calls back when a link of the system leads to a screen, which `go` shows, or a file of flags was opened. */
export function watchOpenedOnDesktop(listeners: {
  go: (path: string) => void;
  openFlags: (file: File) => void;
}): void {
  const desktop = findDesktop();
  desktop?.listen('goTo', (path) => {
    listeners.go(path);
    return true;
  });
  desktop?.listen('openFlagFile', ({ name, text }) => {
    listeners.openFlags(new File([text], name, { type: 'application/json' }));
    return true;
  });
}

/** Has the desktop app offer to restore a backup that was dropped on the page; false in a browser. */
export async function openBackupOnDesktop(file: File): Promise<boolean> {
  const desktop = findDesktop();
  await desktop?.openBackup(file);
  return desktop !== undefined;
}

/** Has the desktop app sign this page in again; false in a browser. */
export async function signInOnDesktop(): Promise<boolean> {
  return (await findDesktop()?.signIn(undefined)) === true;
}

/** The settings of the app after these changes; with none, as they are. Rejects where the system refuses. */
export function changeAppSettings(changes: Partial<AppSettings>): Promise<AppSettings> {
  return desktop().changeAppSettings(changes);
}

/** The options of the server after these changes; they count from its next start. */
export function changeServerOptions(changes: OptionChanges): Promise<ServerOptions> {
  return desktop().changeServerOptions(changes);
}

/** The data folder, and other ones that were opened before. */
export function readDataFolders(): Promise<DataFolders> {
  return desktop().dataFolders(null);
}

/** Opens another data folder: the app starts again, after a dialog and after unsaved changes are settled. */
export function switchDataFolder(wish: Argument<'switchDataFolder'>): Promise<boolean> {
  return desktop().switchDataFolder(wish);
}

/** Whether this window shows a server that another Burrow runs; false in a browser. */
export async function isAttachedOnDesktop(): Promise<boolean> {
  return (await findDesktop()?.isAttached(null)) === true;
}

/** Restarts the server; false when the user canceled. */
export function restartServer(): Promise<boolean> {
  return desktop().restartServer(null);
}

/** Calls back when a menu of the desktop app opens its settings; the listener says whether they are shown. */
export function openAppSettingsForDesktop(open: () => Promise<boolean>): void {
  findDesktop()?.listen('showAppSettings', open);
}

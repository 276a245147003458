import type { Bridge, PageArgument, Theme } from '../../electron/channels.ts';

/** How the desktop app says that the server fares. */
export type ServerStatus = PageArgument<'showServer'>;

/** The desktop app around this page; nothing in a browser. */
function findDesktop(): Bridge | undefined {
  return (globalThis as { burrow?: Bridge }).burrow;
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

/** Has the desktop app sign this page in again; false in a browser. */
export async function signInOnDesktop(): Promise<boolean> {
  return (await findDesktop()?.signIn(undefined)) === true;
}

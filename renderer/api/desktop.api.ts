import type { Bridge, Theme } from '../../electron/channels.ts';

/** The desktop app around this page; nothing in a browser. */
function findDesktop(): Bridge | undefined {
  return (window as { burrow?: Bridge }).burrow;
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

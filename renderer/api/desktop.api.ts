import type { Bridge, Theme } from '../../electron/channels.ts';

/** The desktop app around this page; nothing in a browser. */
function findDesktop(): Bridge | undefined {
  return (window as { burrow?: Bridge }).burrow;
}

/** Lets the desktop app's frame, menus and next window follow the console's theme. */
export function showThemeOnDesktop(theme: Theme): void {
  void findDesktop()?.setTheme(theme);
}

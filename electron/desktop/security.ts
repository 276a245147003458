import { app, session, shell, type WebContents } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import { isPermitted, judgeDestination } from './navigation.ts';

export interface SecurityOptions {
  address: ConsoleAddress;
  /** Opens another window on a page of the console. */
  openConsole: (url: string) => void;
}

/** Keeps every page on the console's own origin and grants it nothing but writing to the clipboard and the whole screen. Call before the app is ready. */
export function setupSecurity({ address, openConsole }: SecurityOptions): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, { address, openConsole }));
  void app.whenReady().then(() => {
    session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
      answer(isPermitted(permission, originOf(details.requestingUrl), address.origin())),
    );
    session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
      isPermitted(permission, originOf(origin), address.origin()),
    );
  });
}

function guard(contents: WebContents, { address, openConsole }: SecurityOptions): void {
  contents.setWindowOpenHandler(({ url }) => {
    const destination = judgeDestination(url, address.origin());
    if (destination === 'console') openConsole(url);
    if (destination === 'browser') void shell.openExternal(url);
    if (destination === 'refuse') reportRefusal(url);
    return { action: 'deny' };
  });
  contents.on('will-frame-navigate', (event) => {
    const destination = judgeDestination(event.url, address.origin());
    if (destination === 'console') return;
    event.preventDefault();
    if (destination === 'browser' && event.isMainFrame) void shell.openExternal(event.url);
    if (destination === 'refuse') reportRefusal(event.url);
  });
  contents.on('will-redirect', (event) => {
    if (judgeDestination(event.url, address.origin()) === 'console') return;
    event.preventDefault();
    reportRefusal(event.url);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

function reportRefusal(url: string): void {
  console.error(`Refused to open ${url.slice(0, 200)}: only the console and its known links open.`);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

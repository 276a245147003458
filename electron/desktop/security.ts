import { app, session, shell, type WebContents } from 'electron';
import { isPermitted, judgeDestination } from './navigation.ts';

export interface SecurityOptions {
  /** Origin of the server that runs now, or null. */
  consoleOrigin: () => string | null;
  /** Opens another window on a page of the console. */
  openConsole: (url: string) => void;
}

/** Keeps every page on the console's own origin and grants it nothing but writing to the clipboard. Call before the app is ready. */
export function setupSecurity({ consoleOrigin, openConsole }: SecurityOptions): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, { consoleOrigin, openConsole }));
  void app.whenReady().then(() => {
    session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
      answer(isPermitted(permission, originOf(details.requestingUrl), consoleOrigin())),
    );
    session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
      isPermitted(permission, originOf(origin), consoleOrigin()),
    );
  });
}

function guard(contents: WebContents, { consoleOrigin, openConsole }: SecurityOptions): void {
  contents.setWindowOpenHandler(({ url }) => {
    const destination = judgeDestination(url, consoleOrigin());
    if (destination === 'console') openConsole(url);
    if (destination === 'browser') void shell.openExternal(url);
    if (destination === 'refuse') reportRefusal(url);
    return { action: 'deny' };
  });
  contents.on('will-frame-navigate', (event) => {
    const destination = judgeDestination(event.url, consoleOrigin());
    if (destination === 'console') return;
    event.preventDefault();
    if (destination === 'browser' && event.isMainFrame) void shell.openExternal(event.url);
    if (destination === 'refuse') reportRefusal(event.url);
  });
  contents.on('will-redirect', (event) => {
    if (judgeDestination(event.url, consoleOrigin()) === 'console') return;
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

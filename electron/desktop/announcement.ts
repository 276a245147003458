import { app } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';

/**
 * Prints a console URL once the server runs, for users who started the app from a terminal with `npm start`. Not in a
 * packaged app: desktops keep its output in a journal, and the URL signs its reader in.
 */
export function setupAnnouncement(server: ServerProcess, address: ConsoleAddress): void {
  if (app.isPackaged) return;
  let isSaid = false;
  server.watch((state) => {
    if (state.phase !== 'running' || isSaid) return;
    isSaid = true;
    address.signInUrl().then(
      (url) => console.log(`Console: ${url}`),
      () => console.log(`Console: ${state.url}`),
    );
  });
}

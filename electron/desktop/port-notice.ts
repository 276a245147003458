import { BrowserWindow, dialog } from 'electron';
import type { ServerProcess } from '../server-process.ts';

/** Warns once that SDKs configured with the preferred port reach another program, because the port was taken. */
export function setupPortNotice(server: ServerProcess, wanted: number): void {
  let isSaid = false;
  server.watch((state) => {
    if (state.phase !== 'running' || state.port === wanted || isSaid) return;
    // A port that is set is accepted or refused by the server, and another Burrow's is its own affair.
    if (state.portSource !== null || state.isAttached) return;
    isSaid = true;
    const message = `Port ${wanted} is in use by another program, so Burrow listens on port ${state.port}.`;
    const detail = `Apps that send events to port ${wanted} do not reach Burrow. Change their host to ${state.url}, or quit the other program and restart Burrow.`;
    console.log(message);
    showOn(BrowserWindow.getAllWindows()[0], { type: 'info', title: 'Burrow', message, detail });
  });
}

/** Over the window, once that shows something; a window closed before needs no notice. */
function showOn(window: BrowserWindow | undefined, notice: Electron.MessageBoxOptions): void {
  if (window?.isVisible()) void dialog.showMessageBox(window, notice);
  else window?.once('show', () => void dialog.showMessageBox(window, notice));
}

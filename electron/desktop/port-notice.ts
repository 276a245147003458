import { BrowserWindow, dialog } from 'electron';
import type { ServerProcess } from '../server-process.ts';

/** Says once that SDKs which use the wanted port reach another program, because it was taken. */
export function setupPortNotice(server: ServerProcess, wanted: number): void {
  let isSaid = false;
  server.watch((state) => {
    if (state.phase !== 'running' || state.port === wanted || isSaid) return;
    isSaid = true;
    const message = `Port ${wanted} is taken by another program, so Burrow listens on ${state.port}.`;
    const detail = `Apps that send to port ${wanted} do not reach Burrow. Point them at ${state.url}, or end the other program and start Burrow again.`;
    console.log(message);
    showOn(BrowserWindow.getAllWindows()[0], { type: 'info', title: 'Burrow', message, detail });
  });
}

/** Over the window, once that shows something; a window closed before needs no notice. */
function showOn(window: BrowserWindow | undefined, notice: Electron.MessageBoxOptions): void {
  if (window?.isVisible()) void dialog.showMessageBox(window, notice);
  else window?.once('show', () => void dialog.showMessageBox(window, notice));
}

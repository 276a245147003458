import { dialog } from 'electron';
import type { ServerProcess } from '../server-process.ts';

/** Says once that SDKs which use the wanted port reach another program, because it was taken. */
export function setupPortNotice(server: ServerProcess, wanted: number): void {
  let isSaid = false;
  server.watch((state) => {
    if (state.phase !== 'running' || state.port === wanted || isSaid) return;
    isSaid = true;
    const message = `Port ${wanted} is taken by another program, so Burrow listens on ${state.port}.`;
    console.log(message);
    void dialog.showMessageBox({
      type: 'info',
      title: 'Burrow',
      message,
      detail: `Apps that send to port ${wanted} do not reach Burrow. Point them at ${state.url}, or end the other program and start Burrow again.`,
    });
  });
}

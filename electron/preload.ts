import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, PAGE_ANSWER, pageChannels } from './channels.ts';

type Listener = (argument: unknown) => unknown;

const listeners = new Map<string, Listener>();

for (const name of Object.keys(pageChannels)) {
  ipcRenderer.on(name, (_event, id: number, argument: unknown) => {
    void answer(id, () => listeners.get(name)?.(argument));
  });
}

/** A request without a listener, or whose listener failed, is answered with nothing, which the shell takes for a no. */
async function answer(id: number, run: () => unknown): Promise<void> {
  const result = await Promise.resolve()
    .then(run)
    .catch(() => undefined);
  ipcRenderer.send(PAGE_ANSWER, id, result);
}

const bridge = {
  ...Object.fromEntries(
    Object.keys(channels).map((name) => [name, (argument: unknown) => ipcRenderer.invoke(name, argument)]),
  ),
  openBackup: (file: File) => ipcRenderer.invoke('openBackup', webUtils.getPathForFile(file)),
  listen(name: string, listener: Listener) {
    if (name in pageChannels) listeners.set(name, listener);
  },
};

contextBridge.exposeInMainWorld('burrow', bridge);

import { contextBridge, ipcRenderer } from 'electron';
import { channels } from './channels.ts';

const bridge = Object.fromEntries(
  Object.keys(channels).map((name) => [name, (argument: unknown) => ipcRenderer.invoke(name, argument)]),
);

contextBridge.exposeInMainWorld('burrow', bridge);

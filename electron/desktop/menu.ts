import { app, clipboard, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Windows } from './windows.ts';

export interface MenuOptions {
  server: ServerProcess;
  address: ConsoleAddress;
  windows: Windows;
}

/** The application menu: the system's own items, and the few that a page cannot offer. */
export function setupMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

function menuTemplate({ server, address, windows }: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CommandOrControl+N', click: () => windows.open() },
        { type: 'separator' },
        { label: 'Open Console in Browser', click: () => void openInBrowser(address) },
        { label: 'Copy Server Address', click: () => copyAddress(server) },
        { label: 'Show Data Folder', click: () => void showDataFolder(server) },
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        {
          label: 'PostHog SDK Documentation',
          click: () => void shell.openExternal('https://posthog.com/docs/libraries'),
        },
        { label: `Burrow ${app.getVersion()}`, enabled: false },
      ],
    },
  ];
}

async function openInBrowser(address: ConsoleAddress): Promise<void> {
  if (address.origin() !== null) await shell.openExternal(await address.signInUrl());
}

function copyAddress(server: ServerProcess): void {
  if (server.state.phase === 'running') void clipboard.writeText(server.state.url);
}

async function showDataFolder(server: ServerProcess): Promise<void> {
  if (server.state.phase === 'running' && server.state.dataDir) await shell.openPath(server.state.dataDir);
}

import { app, BrowserWindow, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import { collectingItems } from './collecting-items.ts';
import { copyDiagnostics } from './copy-diagnostics.ts';
import type { DataFolders } from './data-folders.ts';
import type { ShellMemory } from './shell-state.ts';
import type { Windows } from './windows.ts';

export interface MenuOptions {
  server: ServerProcess;
  memory: ShellMemory;
  address: ConsoleAddress;
  windows: Windows;
  logFolder: string;
  folders: DataFolders;
}

/** The application menu: the system's own items, and the few that a page cannot offer. */
export function setupMenu(options: MenuOptions): void {
  const { server, memory, folders } = options;
  let shown = '';
  const update = (): void => {
    const template = menuTemplate(options);
    const now = JSON.stringify(template);
    // A menu that is built again closes where it is open.
    if (now !== shown) Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    shown = now;
  };
  server.watch(update);
  server.watchStatus(update);
  memory.watch(update);
  folders.watch(update);
  update();
}

function menuTemplate({
  server,
  memory,
  address,
  windows,
  logFolder,
  folders,
}: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  const isRunning = server.state.phase === 'running';
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&New Window', accelerator: 'CommandOrControl+N', click: () => windows.open() },
        { type: 'separator' },
        ...folders.menuItems(),
        { type: 'separator' },
        {
          label: 'Open Console in &Browser',
          enabled: isRunning,
          click: () => void openInBrowser(address),
        },
        { label: 'Show &Data Folder', enabled: isRunning, click: () => void showDataFolder(server) },
        { type: 'separator' },
        {
          label: '&Settings…',
          accelerator: 'CommandOrControl+,',
          enabled: isRunning,
          click: () => void windows.showAppSettings(),
        },
        { type: 'separator' },
        ...collectingItems({ server, memory }),
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    {
      label: '&History',
      submenu: [
        { label: '&Back', accelerator: isMac ? 'Command+[' : 'Alt+Left', click: () => travel('back') },
        { label: '&Forward', accelerator: isMac ? 'Command+]' : 'Alt+Right', click: () => travel('forward') },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        {
          label: 'PostHog SDK Documentation',
          click: () => void shell.openExternal('https://posthog.com/docs/libraries'),
        },
        { type: 'separator' },
        { label: 'Show &Logs', click: () => void shell.openPath(logFolder) },
        {
          label: '&Copy Diagnostics',
          click: () => void copyDiagnostics(server, memory, logFolder),
        },
        { type: 'separator' },
        { label: `Burrow ${app.getVersion()}`, enabled: false },
      ],
    },
  ];
}

function travel(direction: 'back' | 'forward'): void {
  const history = BrowserWindow.getFocusedWindow()?.webContents.navigationHistory;
  if (direction === 'back') history?.goBack();
  else history?.goForward();
}

async function openInBrowser(address: ConsoleAddress): Promise<void> {
  if (address.origin() !== null) await shell.openExternal(await address.signInUrl());
}

async function showDataFolder(server: ServerProcess): Promise<void> {
  if (server.state.phase === 'running' && server.state.dataDir) await shell.openPath(server.state.dataDir);
}

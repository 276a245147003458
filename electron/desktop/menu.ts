import { app, BrowserWindow, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { ConsoleAddress } from '../console-address.ts';
import type { ServerProcess } from '../server-process.ts';
import { collectingItems } from './collecting-items.ts';
import { copyDiagnostics } from './copy-diagnostics.ts';
import type { DataFolders } from './data-folders.ts';
import { openDocument } from './document-windows.ts';
import { findAgain, openFindBar } from './find-bar.ts';
import { printPage, savePageAsPdf } from './save-page.ts';
import type { ShellMemory } from './shell-state.ts';
import { checkForUpdates } from './updates.ts';
import type { Windows } from './windows.ts';

export interface MenuOptions {
  server: ServerProcess;
  memory: ShellMemory;
  address: ConsoleAddress;
  windows: Windows;
  logFolder: string;
  folders: DataFolders;
}

const isMac = process.platform === 'darwin';
const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

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
  // On macOS the menu outlives the windows.
  app.on('browser-window-created', (_event, window) => {
    update();
    window.once('closed', update);
  });
  folders.watch(update);
  update();
}

function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  return [
    ...(isMac ? [appMenu()] : []),
    { label: '&File', submenu: fileItems(options) },
    { label: '&Edit', submenu: editItems() },
    { label: '&View', submenu: viewItems() },
    {
      label: 'Hi&story',
      submenu: [
        { label: '&Back', accelerator: isMac ? 'Command+[' : 'Alt+Left', click: () => travel('back') },
        { label: '&Forward', accelerator: isMac ? 'Command+]' : 'Alt+Right', click: () => travel('forward') },
      ],
    },
    { role: 'windowMenu', label: '&Window', submenu: windowItems() },
    { role: 'help', label: '&Help', submenu: helpItems(options) },
  ];
}

function appMenu(): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { label: 'About Burrow', click: () => openDocument('about') },
      SEPARATOR,
      { role: 'services' },
      SEPARATOR,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      SEPARATOR,
      { role: 'quit' },
    ],
  };
}

function fileItems(options: MenuOptions): MenuItemConstructorOptions[] {
  const { server, memory, address, windows, folders } = options;
  const isRunning = server.state.phase === 'running';
  return [
    { label: '&New Window', accelerator: 'CommandOrControl+N', click: () => windows.open() },
    SEPARATOR,
    ...folders.menuItems(),
    SEPARATOR,
    {
      label: 'Open Console in &Browser',
      enabled: isRunning,
      click: () => void openInBrowser(address),
    },
    { label: 'Show &Data Folder', enabled: isRunning, click: () => void showDataFolder(server) },
    SEPARATOR,
    {
      label: 'Se&ttings…',
      accelerator: 'CommandOrControl+,',
      enabled: isRunning,
      click: () => void windows.showAppSettings(),
    },
    SEPARATOR,
    pageItem('&Print…', (window) => void printPage(window), 'CommandOrControl+P'),
    pageItem('Save as PD&F…', (window) => void savePageAsPdf(window)),
    SEPARATOR,
    ...collectingItems({ server, memory }),
    SEPARATOR,
    { role: 'close', label: '&Close Window' },
    ...(isMac ? [] : [{ role: 'quit', label: '&Quit' } as const]),
  ];
}

function editItems(): MenuItemConstructorOptions[] {
  return [
    { role: 'undo', label: '&Undo' },
    { role: 'redo', label: '&Redo' },
    SEPARATOR,
    { role: 'cut', label: 'Cu&t' },
    { role: 'copy', label: '&Copy' },
    { role: 'paste', label: '&Paste' },
    { role: 'pasteAndMatchStyle', label: 'Paste and Match St&yle' },
    { role: 'delete', label: '&Delete' },
    { role: 'selectAll', label: 'Select &All' },
    SEPARATOR,
    // A page that takes the key itself, as the SQL editor does, keeps it.
    pageItem('&Find in Page…', openFindBar, 'CommandOrControl+F'),
    pageItem('Find &Next', (window) => findAgain(window, 'next'), 'CommandOrControl+G'),
    pageItem('Find Pre&vious', (window) => findAgain(window, 'previous'), 'CommandOrControl+Shift+G'),
  ];
}

/** Reloading a page with unsaved changes asks first (unsaved-changes.ts). */
function viewItems(): MenuItemConstructorOptions[] {
  return [
    { role: 'reload', label: '&Reload' },
    { role: 'forceReload', label: 'Reload Without &Cache' },
    SEPARATOR,
    { role: 'resetZoom', label: '&Actual Size' },
    { role: 'zoomIn', label: 'Zoom &In' },
    // On most keyboards the plus needs Shift, and number pads have one of their own.
    ...hiddenKeys('zoomIn', ['CommandOrControl+=', 'CommandOrControl+numadd']),
    { role: 'zoomOut', label: 'Zoom &Out' },
    ...hiddenKeys('zoomOut', ['CommandOrControl+numsub']),
    SEPARATOR,
    { role: 'togglefullscreen', label: '&Full Screen' },
    ...(app.isPackaged ? [] : [SEPARATOR, { role: 'toggleDevTools', label: '&Developer Tools' } as const]),
  ];
}

function windowItems(): MenuItemConstructorOptions[] {
  return [
    { role: 'minimize', label: 'Mi&nimize' },
    ...(isMac ? ([{ role: 'zoom' }, SEPARATOR, { role: 'front' }] as const) : []),
  ];
}

function helpItems({ server, memory, logFolder }: MenuOptions): MenuItemConstructorOptions[] {
  return [
    { label: '&Burrow Help', accelerator: isMac ? 'Command+?' : 'F1', click: () => openDocument('help') },
    { label: '&Release Notes', click: () => openDocument('release-notes') },
    {
      label: 'PostHog &SDK Documentation',
      click: () => void shell.openExternal('https://posthog.com/docs/libraries'),
    },
    SEPARATOR,
    { label: 'Show &Logs', click: () => void shell.openPath(logFolder) },
    { label: '&Copy Diagnostics', click: () => void copyDiagnostics(server, memory, logFolder) },
    { label: 'Check for &Updates…', click: () => void checkForUpdates() },
    SEPARATOR,
    { label: 'L&icenses', click: () => openDocument('licences') },
    ...(isMac ? [] : [{ label: '&About Burrow', click: () => openDocument('about') }]),
  ];
}

/** An item about the page of the window that has the focus; off without a window. */
function pageItem(
  label: string,
  act: (window: BrowserWindow) => void,
  accelerator?: string,
): MenuItemConstructorOptions {
  return {
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    enabled: BrowserWindow.getAllWindows().length > 0,
    click: (_item, window) => {
      const focused = window ?? BrowserWindow.getFocusedWindow();
      if (focused instanceof BrowserWindow) act(focused);
    },
  };
}

/** Further keys of a role: an item can have one only. */
function hiddenKeys(
  role: 'zoomIn' | 'zoomOut',
  accelerators: readonly string[],
): MenuItemConstructorOptions[] {
  return accelerators.map((accelerator) => ({ role, accelerator, visible: false }));
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

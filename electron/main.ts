import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { createConsoleAddress } from './console-address.ts';
import { setupAnnouncement } from './desktop/announcement.ts';
import { createAppSettings } from './desktop/app-settings.ts';
import { setupBridge } from './desktop/bridge.ts';
import { setupContextMenu } from './desktop/context-menu.ts';
import { copyDiagnostics } from './desktop/copy-diagnostics.ts';
import { setupDataFolders } from './desktop/data-folders.ts';
import { createFailureActions } from './desktop/failure-actions.ts';
import { setupFindBar } from './desktop/find-bar.ts';
import { setupKeepCollecting } from './desktop/keep-collecting.ts';
import { isHiddenStart } from './desktop/login-item.ts';
import { setupMenu } from './desktop/menu.ts';
import { setupNotifications } from './desktop/notifications.ts';
import { setupOpenWindows } from './desktop/open-windows.ts';
import { setupTargets } from './desktop/open-targets.ts';
import { setupPortNotice } from './desktop/port-notice.ts';
import { setupProfile } from './desktop/profile.ts';
import { setupQuit, type Quit } from './desktop/quit.ts';
import { setupDownloads, showSaved } from './desktop/saved-files.ts';
import { setupSecurity } from './desktop/security.ts';
import { createShellMemory } from './desktop/shell-state.ts';
import { setupSingleInstance } from './desktop/single-instance.ts';
import { setupTray } from './desktop/tray.ts';
import { setupUnsavedChanges } from './desktop/unsaved-changes.ts';
import { setupWindows } from './desktop/windows.ts';
import { forkServer, type ServerFork } from './fork-server.ts';
import { openLogFile } from './log-file.ts';
import { DEFAULT_PORT, findFreePort } from './port.ts';
import { createServerProcess, type ServerChild } from './server-process.ts';

const { folder: profile, dataDir, isMissing, launch } = setupProfile(process.argv, process.env);
const memory = createShellMemory(join(profile, 'shell.json'));
if (!memory.get().usesGpu) app.disableHardwareAcceleration();
const logFolder = app.getPath('logs');
let log: Writable | null = null;
const fork = (args: readonly string[], ports?: ServerFork['ports']): ServerChild =>
  forkServer({ args, dataDir, log: (log ??= openLogFile(logFolder)), ...(ports && { ports }) });
const server = createServerProcess({
  fork: (ports) => fork(['serve'], ports),
  choosePort: () => findFreePort(DEFAULT_PORT),
  obstacle: () =>
    isMissing && !existsSync(dataDir!)
      ? { reason: 'folder_missing', message: `The data folder ${dataDir!} is missing.`, dataDir }
      : null,
  now: Date.now,
});
const address = createConsoleAddress(server, app.isPackaged ? undefined : process.env['BURROW_DEV_CONSOLE']);
const unsaved = setupUnsavedChanges();
let quit: Quit | null = null;
const folders = setupDataFolders({
  server,
  launch,
  dataDir,
  relaunch: (args, onLeave) => quit?.relaunch(args, onLeave),
});
const act = createFailureActions({
  server,
  fork,
  openFolder: async (window) => void (await folders.open({ kind: 'choose' }, window)),
  copyDiagnostics: () => copyDiagnostics(server, memory, logFolder),
  quit: () => app.quit(),
  onStep: (step) => windows.showStep(step),
});
const windows = setupWindows({ server, address, memory, unsaved, act });

const targets = setupTargets({ server, windows });

if (setupSingleInstance(targets.openAll)) boot();
else app.quit();

function boot(): void {
  setupSecurity({ address, openConsole: windows.open });
  setupContextMenu(address, windows.open);
  setupDownloads();
  setupFindBar();
  const { isQuitting } = (quit = setupQuit(server, unsaved));
  const settings = createAppSettings({ memory, server, unsaved });
  const { openBackup } = targets;
  setupBridge({ address, memory, server, unsaved, openBackup, showSaved, settings, folders });
  const openWindows = setupOpenWindows(memory, isQuitting);
  setupNotifications(server, memory, windows);
  setupAnnouncement(server, address);
  setupPortNotice(server, DEFAULT_PORT);
  // Not awaited at the top level: Electron becomes ready only once this module has ended.
  void app.whenReady().then(async () => {
    // First, so that it comes up while the menu and the windows are created.
    await server.start();
    setupMenu({ server, memory, address, windows, logFolder, folders });
    const tray = setupTray({ server, memory, windows });
    setupKeepCollecting({ server, memory, unsaved, windows, tray, isQuitting });
    if (!isHiddenStart()) openWindows.restore(windows);
    targets.begin();
  });
}

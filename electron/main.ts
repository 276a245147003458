import { app } from 'electron';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { createConsoleAddress } from './console-address.ts';
import { setupAnnouncement } from './desktop/announcement.ts';
import { setupBridge } from './desktop/bridge.ts';
import { setupContextMenu } from './desktop/context-menu.ts';
import { setupFindBar } from './desktop/find-bar.ts';
import { setupKeepCollecting } from './desktop/keep-collecting.ts';
import { isHiddenStart } from './desktop/login-item.ts';
import { setupMenu } from './desktop/menu.ts';
import { setupNotifications } from './desktop/notifications.ts';
import { setupOpenWindows } from './desktop/open-windows.ts';
import { setupTargets } from './desktop/open-targets.ts';
import { setupPortNotice } from './desktop/port-notice.ts';
import { setupProfile } from './desktop/profile.ts';
import { setupQuit } from './desktop/quit.ts';
import { setupDownloads, showSaved } from './desktop/saved-files.ts';
import { setupSecurity } from './desktop/security.ts';
import { createShellMemory } from './desktop/shell-state.ts';
import { setupSingleInstance } from './desktop/single-instance.ts';
import { setupTray } from './desktop/tray.ts';
import { setupUnsavedChanges } from './desktop/unsaved-changes.ts';
import { setupWindows } from './desktop/windows.ts';
import { forkServer } from './fork-server.ts';
import { openLogFile } from './log-file.ts';
import { DEFAULT_PORT, findFreePort } from './port.ts';
import { createServerProcess } from './server-process.ts';

const profile = setupProfile(process.env['BURROW_DATA_DIR']);
const memory = createShellMemory(join(profile, 'shell.json'));
const logFolder = app.getPath('logs');
let log: Writable | null = null;
const server = createServerProcess({
  fork: (args, freePort) => forkServer(args, freePort, (log ??= openLogFile(logFolder))),
  choosePort: () => findFreePort(DEFAULT_PORT),
  now: Date.now,
});
const address = createConsoleAddress(server, app.isPackaged ? undefined : process.env['BURROW_DEV_CONSOLE']);
const unsaved = setupUnsavedChanges();
const windows = setupWindows({ server, address, memory, unsaved });

const targets = setupTargets({ server, windows });

if (setupSingleInstance(targets.openAll)) boot();
else app.quit();

function boot(): void {
  setupSecurity({ address, openConsole: windows.open });
  setupContextMenu(address, windows.open);
  setupDownloads();
  setupFindBar();
  setupBridge({ address, memory, server, unsaved, openBackup: targets.openBackup, showSaved });
  const { isQuitting } = setupQuit(server, unsaved);
  const openWindows = setupOpenWindows(memory, isQuitting);
  setupNotifications(server, windows.show);
  setupAnnouncement(server, address);
  setupPortNotice(server, DEFAULT_PORT);
  // Not awaited at the top level: Electron becomes ready only once this module has ended.
  void app.whenReady().then(() => {
    setupMenu({ server, memory, address, windows, logFolder });
    const tray = setupTray({ server, memory, windows });
    setupKeepCollecting({ server, memory, unsaved, windows, tray, isQuitting });
    if (!isHiddenStart()) openWindows.restore(windows);
    targets.begin();
    void server.start();
  });
}

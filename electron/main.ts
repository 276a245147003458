import { app } from 'electron';
import { join } from 'node:path';
import { setupBridge } from './desktop/bridge.ts';
import { setupMenu } from './desktop/menu.ts';
import { setupPortNotice } from './desktop/port-notice.ts';
import { setupProfile } from './desktop/profile.ts';
import { setupQuit } from './desktop/quit.ts';
import { setupSecurity } from './desktop/security.ts';
import { createShellMemory } from './desktop/shell-state.ts';
import { setupSingleInstance } from './desktop/single-instance.ts';
import { setupWindows } from './desktop/windows.ts';
import { forkServer } from './fork-server.ts';
import { DEFAULT_PORT, findFreePort } from './port.ts';
import { createServerProcess } from './server-process.ts';

const isPortGiven = Boolean(process.env['BURROW_PORT']);

const memory = createShellMemory(join(setupProfile(process.env['BURROW_DATA_DIR']), 'shell.json'));
const server = createServerProcess({
  fork: forkServer,
  // A port that somebody asked for is the server's to take or to refuse.
  choosePort: async () => (isPortGiven ? null : findFreePort(DEFAULT_PORT)),
  now: Date.now,
});
const windows = setupWindows({ server, memory });
const consoleOrigin = (): string | null =>
  server.state.phase === 'running' ? new URL(server.state.url).origin : null;

if (setupSingleInstance(windows.show)) boot();
else app.quit();

function boot(): void {
  setupSecurity({ consoleOrigin, openConsole: windows.open });
  setupBridge({ server, memory, consoleOrigin });
  setupQuit(server);
  if (!isPortGiven) setupPortNotice(server, DEFAULT_PORT);
  // Not awaited at the top level: Electron becomes ready only once this module has ended.
  void app.whenReady().then(() => {
    setupMenu({ server, windows });
    windows.open();
    void server.start();
  });
}

import type { AppSettings, Argument, OptionChanges, ServerOptions } from '../channels.ts';
import type { ServerProcess } from '../server-process.ts';
import { setStartsAtLogin, startsAtLogin } from './login-item.ts';
import type { ShellMemory } from './shell-state.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';

/** As for a quit: longer than a checkpoint of a large file takes. */
const DRAIN_LIMIT_MS = 15_000;

/** What the console's page "App" reads and changes. */
export interface SettingsOfApp {
  changeApp(changes: Argument<'changeAppSettings'>): AppSettings;
  changeServer(changes: OptionChanges): Promise<ServerOptions>;
  /** False when a dialog about unsaved changes was canceled. */
  restartServer(): Promise<boolean>;
}

export function createAppSettings({
  memory,
  server,
  unsaved,
}: {
  memory: ShellMemory;
  server: ServerProcess;
  unsaved: UnsavedChanges;
}): SettingsOfApp {
  function current(): AppSettings {
    const { keepsCollecting, hasTray, notifies, usesGpu } = memory.get();
    return { startsAtLogin: startsAtLogin(), keepsCollecting, hasTray, notifies, usesGpu };
  }

  return {
    changeApp({ startsAtLogin: starts, ...others }) {
      if (starts !== undefined) setStartsAtLogin(starts);
      const changes = Object.entries(others).filter(([, value]) => value !== undefined);
      if (changes.length > 0) memory.set(Object.fromEntries(changes));
      return current();
    },
    changeServer: (changes) => server.options(Object.keys(changes).length === 0 ? null : changes),
    async restartServer() {
      const { options } = await server.options(null);
      const port = options.find(({ name }) => name === 'port');
      const keepsPort = port?.value === port?.running;
      // On another port pages are loaded again; on the same one they keep what they have not saved.
      if (!keepsPort) {
        if (!(await unsaved.settleAll())) return false;
        unsaved.discardAll();
      }
      // Not awaited: the answer has to reach the page while it is there.
      void server.restart({ limitMs: DRAIN_LIMIT_MS, keepsPort });
      return true;
    },
  };
}

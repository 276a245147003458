import { app, clipboard } from 'electron';
import { diagnosticsText } from '../diagnostics.ts';
import type { ServerProcess } from '../server-process.ts';
import type { ShellMemory } from './shell-state.ts';

/** Copies what helps to find a fault; no keys and no events are in it. */
export async function copyDiagnostics(
  server: Pick<ServerProcess, 'state'>,
  memory: Pick<ShellMemory, 'get'>,
  logFolder: string,
): Promise<void> {
  const { electron, chrome, node } = process.versions;
  // Which pages are open says whom a user looked at.
  const { openWindows: _left, ...settings } = memory.get();
  const text = await diagnosticsText({
    version: app.getVersion(),
    versions: { Electron: electron!, Chromium: chrome!, Node: node },
    state: server.state,
    settings,
    logFolder,
  });
  await clipboard.writeText(text);
}

import { app } from 'electron';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { autostartEntry, launcherOf } from '../autostart-entry.ts';

/** The argument with which the system starts the app at login: no window. */
export const HIDDEN = '--hidden';

/** Whether this start shall open no window. */
export function isHiddenStart(): boolean {
  return (
    process.argv.includes(HIDDEN) ||
    (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  );
}

/** Whether the system starts the app at login. */
export function startsAtLogin(): boolean {
  if (process.platform !== 'linux') return app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin;
  try {
    // Desktops switch an entry off by this line.
    return !/^Hidden\s*=\s*true/m.test(readFileSync(autostartFile(), 'utf8'));
  } catch {
    return false;
  }
}

/** Starts the app at login from now on, without a window, or does so no longer. Throws what the file system throws. */
export function setStartsAtLogin(isOn: boolean): void {
  if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: isOn, args: [HIDDEN] });
  if (!isOn) return rmSync(autostartFile(), { force: true });
  const file = autostartFile();
  mkdirSync(join(file, '..'), { recursive: true });
  const dataDir = process.env['BURROW_DATA_DIR'];
  const program = process.env['APPIMAGE'] ?? launcherOf(process.execPath);
  const command = [
    ...(dataDir ? ['env', `BURROW_DATA_DIR=${dataDir}`] : []),
    program,
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    HIDDEN,
  ];
  writeFileSync(file, autostartEntry(command));
}

function autostartFile(): string {
  const config = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(config, 'autostart', 'burrow.desktop');
}

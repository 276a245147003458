import { app } from 'electron';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataDirOf } from '../app-arguments.ts';
import { openLaunchFile, type LaunchFile } from '../launch-file.ts';

export interface Profile {
  /** Of the shell, for cookies, caches and the window's place. */
  folder: string;
  /** Null: the usual one, which the server names. */
  dataDir: string | null;
  /** The folder that was opened last is not there, as when its drive is not connected; nothing may be created in its place. */
  isMissing: boolean;
  launch: LaunchFile;
}

/**
 * Finds the data folder: of the argument, else of the environment, else the one that was opened last (decision 114). The
 * shell's own folder lies in it, because a second desktop app is one with the same profile: one app for each data folder.
 * Only the usual data folder has its profile elsewhere. Call first of all.
 */
export function setupProfile(argv: readonly string[], env: NodeJS.ProcessEnv): Profile {
  const own = join(app.getPath('appData'), 'burrow-desktop');
  const launch = openLaunchFile(join(own, 'launch.json'));
  const argument = dataDirOf(argv);
  if (argument !== null) {
    launch.open(resolve(argument));
    // What is started from here, and an entry of autostart, follow the argument too.
    delete env['BURROW_DATA_DIR'];
  }
  const { folder: last, usual } = launch.get();
  const dataDir = resolvedOrNull(argument ?? env['BURROW_DATA_DIR']) ?? last;
  const isMissing = dataDir === last && argument === null && last !== null && !existsSync(last);
  const folder = dataDir === null || isMissing || dataDir === usual ? own : join(dataDir, 'desktop');
  const usable = canMake(folder) ? folder : mkdtempSync(join(tmpdir(), 'burrow-desktop-'));
  app.setPath('userData', usable);
  return { folder: usable, dataDir, isMissing, launch };
}

function resolvedOrNull(path: string | undefined): string | null {
  return path ? resolve(path) : null;
}

/** A data folder that cannot be written is the server's to report; the window that shows its sentence needs a profile. */
function canMake(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

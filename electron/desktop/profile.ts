import { app } from 'electron';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Gives the shell a folder of its own for cookies, caches and the window's place, and returns it. A second desktop app
 * is one with the same folder, so with BURROW_DATA_DIR it lies in the data folder: one app for each. Call first of all.
 */
export function setupProfile(dataDir: string | undefined): string {
  const folder = dataDir ? resolve(dataDir, 'desktop') : join(app.getPath('appData'), 'burrow-desktop');
  const usable = canMake(folder) ? folder : mkdtempSync(join(tmpdir(), 'burrow-desktop-'));
  app.setPath('userData', usable);
  return usable;
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

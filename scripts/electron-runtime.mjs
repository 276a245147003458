import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGE = 'node_modules/electron';
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const EXECUTABLES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/**
 * The Electron executable: of the folder ELECTRON_OVERRIDE_DIST_PATH, else the one that the electron package has
 * downloaded, else of a folder `burrow-electron-<version>` in the user's cache, which is how a machine that may not
 * download one is given one. Null when there is none.
 */
export function findElectron(env = process.env) {
  if (env.ELECTRON_OVERRIDE_DIST_PATH) return existing(executableIn(env.ELECTRON_OVERRIDE_DIST_PATH));
  return existing(downloadedElectron()) ?? existing(cachedElectron(env));
}

/** Lets the electron package download its runtime, once and for at most five minutes. Null when it cannot. */
export async function downloadElectron() {
  console.log('Fetching the Electron runtime, once (about 120 MB)…');
  const child = spawn(process.execPath, [join(PACKAGE, 'install.js')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: DOWNLOAD_LIMIT_MS,
  });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  return findElectron();
}

/** Whether windows can be shown: always on macOS and Windows, with an X or Wayland display elsewhere. */
export function hasDisplay(env = process.env) {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Switches for running the app from here: Chromium's sandbox refuses to work for root, and of Chromium's own log only
 * what ends the program is news.
 */
export function electronSwitches() {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return ['--log-level=3', ...(isRoot ? ['--no-sandbox'] : [])];
}

function downloadedElectron() {
  const pathFile = join(PACKAGE, 'path.txt');
  return existsSync(pathFile) ? resolve(PACKAGE, 'dist', readFileSync(pathFile, 'utf8').trim()) : null;
}

function cachedElectron(env) {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  if (!existsSync(cache)) return null;
  const folders = readdirSync(cache).filter((name) => /^burrow-electron-\d+(\.\d+)*$/.test(name));
  const newest = folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest ? executableIn(join(cache, newest)) : null;
}

function executableIn(folder) {
  return join(folder, EXECUTABLES[process.platform] ?? 'electron');
}

function existing(path) {
  return path !== null && existsSync(path) ? path : null;
}

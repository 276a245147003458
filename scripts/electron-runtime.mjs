import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PACKAGE = 'node_modules/electron';
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const STILL_MS = 10_000;
/** 128 and the number of SIGTRAP. */
const EXIT_BY_TRAP = 133;
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

/**
 * Lets the electron package download its runtime, once and for at most five minutes. Null when it cannot. On a terminal
 * the package shows a bar of its own; elsewhere a line says every ten seconds that it is still at work.
 */
export async function downloadElectron() {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  console.log(
    `Downloading Electron ${version} for ${process.platform}-${process.arch} from github.com, once (about 120 MB)…`,
  );
  const isTerminal = process.stderr.isTTY === true;
  const child = spawn(process.execPath, [join(PACKAGE, 'install.js')], {
    stdio: ['ignore', 'ignore', isTerminal ? 'inherit' : 'pipe'],
    timeout: DOWNLOAD_LIMIT_MS,
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += chunk));
  const started = Date.now();
  const timer = setInterval(() => {
    if (!isTerminal) console.log(`Still downloading, ${Math.round((Date.now() - started) / 1000)} s so far…`);
  }, STILL_MS);
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  clearInterval(timer);
  const reason = errors.split('\n').find((line) => /Error|ENOTFOUND|ECONN/.test(line));
  if (reason !== undefined) console.log(`The download failed: ${reason.trim().slice(0, 200)}`);
  return findElectron();
}

/**
 * What to do where Electron died before any of its JavaScript because the system grants it no sandbox, as lines; null when
 * it ended for another reason. Chromium says so on stderr and ends by a trap.
 */
export function sandboxAdvice(electron, { code, errors }) {
  if (code !== EXIT_BY_TRAP || !/No usable sandbox|SUID sandbox helper binary/.test(errors)) return null;
  const helper = join(dirname(electron), 'chrome-sandbox');
  const isForbidden = ['kernel/unprivileged_userns_clone', 'user/max_user_namespaces'].filter(
    (name) => readSystem(name) === '0',
  );
  return [
    'One of these allows it:',
    `  sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`,
    ...isForbidden.map(
      (name) => `  sudo sysctl -w ${name.replace('/', '.')}=${name.startsWith('user') ? 15000 : 1}`,
    ),
    ...(readSystem('kernel/apparmor_restrict_unprivileged_userns') === '1'
      ? ['  an installed package of Burrow, which brings the AppArmor profile that this system wants']
      : []),
  ];
}

function readSystem(name) {
  try {
    return readFileSync(join('/proc/sys', name), 'utf8').trim();
  } catch {
    // Other systems, and other kernels, have no such setting.
    return null;
  }
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

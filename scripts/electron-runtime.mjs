import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { downloadArtifact } from '@electron/get';
import { resumingDownloader } from './electron-download.mjs';
import { run } from './run.mjs';

const PACKAGE = 'node_modules/electron';
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
 * Downloads the runtime of the electron package, once, with its progress; a download that broke off goes on where it ended,
 * also in a later run. Null, after a line with the reason, when it cannot.
 */
export async function downloadElectron(env = process.env) {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  console.log(
    `Downloading Electron ${version} for ${process.platform}-${process.arch} from ${env.ELECTRON_MIRROR ? 'ELECTRON_MIRROR' : 'github.com'}, once (about 120 MB)…`,
  );
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: env.ELECTRON_INSTALL_PLATFORM || process.platform,
      arch: env.ELECTRON_INSTALL_ARCH || process.arch,
      cacheRoot: env.electron_config_cache,
      checksums: env.electron_use_remote_checksums
        ? undefined
        : JSON.parse(readFileSync(join(PACKAGE, 'checksums.json'), 'utf8')),
      downloader: resumingDownloader(join(cacheFolder(env), 'burrow-electron-download')),
    });
    // The package unpacks what it finds in the cache.
    await run(process.execPath, [join(PACKAGE, 'install.js')]);
  } catch (error) {
    const reason = error.cause?.code ?? error.message.split('\n')[0];
    console.log(`The download failed: ${reason}.`);
  }
  return findElectron(env);
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
  const cache = cacheFolder(env);
  if (!existsSync(cache)) return null;
  const folders = readdirSync(cache).filter((name) => /^burrow-electron-\d+(\.\d+)*$/.test(name));
  const newest = folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest ? executableIn(join(cache, newest)) : null;
}

function cacheFolder(env) {
  return env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

function executableIn(folder) {
  return join(folder, EXECUTABLES[process.platform] ?? 'electron');
}

function existing(path) {
  return path !== null && existsSync(path) ? path : null;
}

import { execFile, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findElectron } from '../../scripts/electron-runtime.mjs';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import { readRunFile, startScreen, whyNoDesktop } from './desktop.ts';
import { inheritedEnvironment } from './start-server.ts';

const execute = promisify(execFile);
const BUILDER = 'node_modules/.bin/electron-builder';
const FPM = fileURLToPath(new URL('fpm.mjs', import.meta.url));
const WITHOUT_NAMESPACES = fileURLToPath(new URL('without-namespaces.py', import.meta.url));
const OUTPUT_LIMIT_BYTES = 64 * 1_024 * 1_024;
/** Programs, each with the Debian package that has it. */
const TOOLS = {
  'dpkg-deb': 'dpkg',
  rpmbuild: 'rpm',
  rpm2cpio: 'rpm2cpio',
  cpio: 'cpio',
  'dbus-run-session': 'dbus',
  'desktop-file-validate': 'desktop-file-utils',
  appstreamcli: 'appstream',
  'systemd-analyze': 'systemd',
  'update-mime-database': 'shared-mime-info',
  'xdg-mime': 'xdg-utils',
};

export const PACKAGE = 'burrow-analytics';
/** An ordinary user: root's processes get no sandbox. */
export const USER = 65_534;
export const PROJECT_KEY = 'phc_package';
export const PERSONAL_KEY = 'phx_package';

/** Why packages cannot be built, installed and started here, or null when they can. */
export function whyNoPackages(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may install packages';
  const noDesktop = whyNoDesktop();
  if (noDesktop !== null) return noDesktop;
  const missing = Object.entries(TOOLS).filter(([tool]) => findOnPath(tool) === null);
  if (missing.length > 0)
    return `Packages need: sudo apt-get install ${missing.map(([, name]) => name).join(' ')}`;
  const version = installedVersion();
  return version === null || version.includes('~test')
    ? null
    : `${PACKAGE} ${version} is installed here and stays`;
}

/** The version of the deb that is installed, or null. */
export function installedVersion(): string | null {
  const { stdout } = spawnSync('dpkg-query', ['--status', PACKAGE], { encoding: 'utf8' });
  return /^Version: (.+)$/m.exec(stdout)?.[1] ?? null;
}

/** Runs a command to its end; rejects with its output when it fails. */
export async function command(name: string, args: readonly string[], cwd?: string): Promise<string> {
  const { stdout } = await execute(name, args, { maxBuffer: OUTPUT_LIMIT_BYTES, cwd });
  return stdout;
}

export interface Packages {
  /** Where the app looks for a newer version. */
  feed: string;
  /** What electron-builder packs. */
  folder: string;
  olderDeb: string;
  deb: string;
  rpm: string;
}

/** Builds a deb, one of an older version and an rpm into a folder, around the runtime that is here. Needs `npm run build`. */
export async function buildPackages(out: string): Promise<Packages> {
  const dist = dirname(findElectron()!);
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  const run = (...args: string[]) =>
    execute(
      BUILDER,
      [...args, `-c.electronDist=${dist}`, `-c.electronVersion=${version}`, `-c.directories.output=${out}`],
      { env: { ...process.env, CUSTOM_FPM_PATH: FPM }, maxBuffer: OUTPUT_LIMIT_BYTES },
    );
  await run('--linux', 'dir');
  const folder = join(out, 'linux-unpacked');
  await run('--linux', 'deb', '--prepackaged', folder, '-c.extraMetadata.version=0.0.1-test.1');
  const address = ['-c.publish.provider=generic', '-c.publish.url=http://127.0.0.1:9/'];
  const newer = ['--prepackaged', folder, '-c.extraMetadata.version=0.0.1-test.2', ...address];
  await run('--linux', 'deb', 'rpm', ...newer);
  const [olderDeb, deb, rpm] = ['.1_amd64.deb', '.2_amd64.deb', '.2.x86_64.rpm'].map((ending) => {
    const name = readdirSync(out).find((file) => file.endsWith(ending));
    if (name === undefined) throw new Error(`No package ends with ${ending}: ${readdirSync(out).join(', ')}`);
    return join(out, name);
  });
  const feed = readFileSync(join(out, 'test-linux.yml'), 'utf8');
  return { folder, feed, olderDeb: olderDeb!, deb: deb!, rpm: rpm! };
}

/** A home folder of the ordinary user, and the environment that goes with it. */
export function newHome(): { home: string; dataDir: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), 'burrow-home-'));
  chownSync(home, USER, USER);
  const runtime = join(home, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  chownSync(runtime, USER, USER);
  const kept = Object.entries(inheritedEnvironment()).filter(
    ([name]) => !/^(XDG_|DISPLAY$|WAYLAND_|DBUS_)/.test(name),
  );
  return {
    home,
    dataDir: join(home, '.local/share/burrow'),
    env: {
      ...Object.fromEntries(kept),
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      BURROW_PORT: '0',
      BURROW_PROJECT_API_KEY: PROJECT_KEY,
      BURROW_PERSONAL_API_KEY: PERSONAL_KEY,
    },
  };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command as the ordinary user, without a display. */
export async function runAsUser(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  const child = spawn(program, args, {
    uid: USER,
    gid: USER,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return await ended(child);
}

function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (piece: string) => (texts[name] += piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, ...texts }));
  });
}

export interface StartedApp {
  /** Settles when the launcher has ended. */
  ended: Promise<Ended>;
  /** Ids of the app's processes of a type, such as `renderer`. */
  processes(type: string): number[];
  /** SIGTERM to the launcher and to what passes its errors through, as a session does at its end. */
  stop(): Promise<Ended>;
}

/**
 * Starts the launcher of the desktop app as the ordinary user, on a screen and a session bus of its own; `isRefused`: the
 * system forbids the user to create namespaces.
 */
export async function startApp(
  launcher: string,
  env: Record<string, string>,
  { isRefused = false, args = [] as readonly string[] } = {},
): Promise<StartedApp> {
  const screen = await startScreen();
  const session = ['--', launcher, '--disable-gpu', ...args];
  const options: SpawnOptions = {
    env: { ...env, ...screen.env },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const child = isRefused
    ? spawn('python3', [WITHOUT_NAMESPACES, String(USER), 'dbus-run-session', ...session], options)
    : spawn('dbus-run-session', session, { ...options, uid: USER, gid: USER });
  const end = ended(child).finally(() => screen.stop());
  const program = `${realpathSync(launcher)}.bin`;
  const all = () => processIds().filter((pid) => executableOf(pid) === program);
  onTestFinished(() => {
    for (const pid of all()) process.kill(pid, 'SIGKILL');
  });
  return {
    ended: end,
    processes: (type) => all().filter((pid) => argumentsOf(pid).includes(`--type=${type}`)),
    async stop() {
      const parts = processIds().filter((pid) => {
        const words = argumentsOf(pid);
        return (
          words.slice(0, 2).includes(launcher) ||
          (words[0] === 'sed' && words.some((word) => word.includes('/burrow-start-')))
        );
      });
      for (const pid of parts) process.kill(pid, 'SIGTERM');
      return await end;
    },
  };
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Processes end while they are looked at; Chromium's have spaces between their arguments. */
function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/);
  } catch {
    return [];
  }
}

function executableOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

/** A server that runs on a data folder. */
export function clientOf(dataDir: string) {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(readRunFile(dataDir).url + path, {
      ...init,
      headers: { Authorization: `Bearer ${PERSONAL_KEY}`, 'Content-Type': 'application/json' },
    });
  return {
    isRunning: () => existsSync(join(dataDir, 'burrow.json')),
    call,
    async capture(event: string): Promise<number> {
      const body = JSON.stringify({ api_key: PROJECT_KEY, event, distinct_id: 'ann' });
      return (await call('/capture/', { method: 'POST', body })).status;
    },
    async eventNames(): Promise<string[]> {
      const { results } = (await (await call('/api/projects/1/events/')).json()) as {
        results: { event: string }[];
      };
      return results.map(({ event }) => event);
    },
  };
}

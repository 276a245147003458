import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
const STDERR_KEPT = 64 * 1024;

export interface StartOptions {
  /** Folder of the database; without it the server keeps everything in memory (`--ephemeral`). */
  dataDir?: string;
  /** A free one, unless a server must come back where it was. */
  port?: number;
  /** Further arguments of `serve`; `--port` and `--json` are always there. */
  args?: readonly string[];
  /** Further environment variables; `BURROW_…` of the test's own environment are not passed on. */
  env?: Readonly<Record<string, string>>;
  /** The program and its first arguments; the built server on Node.js if missing. */
  program?: readonly [string, ...string[]];
  /** The user and group that the process runs as, by number; only root may choose one. */
  user?: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A built server in a process of its own, and what its ready line says. */
export interface RunningServer {
  /** Without trailing slash. */
  readonly url: string;
  readonly consoleUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly projectId: number;
  readonly projectApiKey: string;
  readonly personalApiKey: string;
  /** Settles when the process has ended, however it ended. */
  readonly exited: Promise<Exit>;
  /** The newest log output, at most 64 KiB. */
  stderr(): string;
  /** SIGTERM, then SIGKILL when draining takes longer than 20 s. Harmless when it has ended already. */
  stop(): Promise<Exit>;
  /** SIGKILL: what a crash or a power cut of the process looks like. */
  kill(): Promise<Exit>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs `node dist/server/main.js serve --json` and resolves once the server is ready. Needs `npm run build`.
 * Rejects with the exit code and the log when it ends before, or is not ready within 30 s.
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  if (!existsSync(MAIN)) throw new Error('dist/server/main.js is missing: run `npm run build` first.');
  const place = options.dataDir === undefined ? ['--ephemeral'] : ['--data-dir', options.dataDir];
  const [program, ...first] = options.program ?? [process.execPath, MAIN];
  const child = spawn(
    program,
    [...first, 'serve', '--port', String(options.port ?? 0), '--json', ...place, ...(options.args ?? [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inheritedEnvironment(), ...options.env },
      ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
    },
  );
  running.add(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-STDERR_KEPT);
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
    child.once('error', () => {
      running.delete(child);
      resolve({ code: null, signal: null });
    });
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit> => {
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    return exited.finally(() => clearTimeout(timer));
  };

  try {
    const ready = JSON.parse(await firstLine(child, exited, () => log)) as Ready;
    return {
      ...ready,
      url: ready.url.replace(/\/$/, ''),
      pid: child.pid ?? ready.pid,
      exited,
      stderr: () => log,
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/** The ready line of the process contract. */
interface Ready {
  url: string;
  consoleUrl: string;
  port: number;
  pid: number;
  projectId: number;
  projectApiKey: string;
  personalApiKey: string;
}

function firstLine(child: ChildProcess, exited: Promise<Exit>, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The server was not ready within ${START_LIMIT_MS} ms.\n${log()}`)),
      START_LIMIT_MS,
    );
    // The lines after the first are read too, so that a full pipe never stops the server.
    createInterface({ input: child.stdout! }).on('line', resolve);
    void exited.then(({ code, signal }) =>
      reject(new Error(`The server ended before it was ready (code ${code}, signal ${signal}).\n${log()}`)),
    );
    child.once('error', reject);
    void exited.finally(() => clearTimeout(timer));
    child.stdout!.once('data', () => clearTimeout(timer));
  });
}

/** The test's own environment without `BURROW_…`, which would change what is tested. */
export function inheritedEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('BURROW_')) kept[name] = value;
  }
  return kept;
}

import { existsSync } from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { version } from '../package.json';
import { ConfigError } from './cli-arguments.ts';
import { helpText } from './cli-help.ts';
import { readConfig, type Config } from './config.ts';
import { askForConsoleLink, NotRunningError } from './console-link.ts';
import { StoreOpenError } from './db/client.ts';
import { isDamage } from './db/store-damage.ts';
import { FlagFileError } from './features/flag-file/index.ts';
import { GeoipFileError } from './features/geoip/index.ts';
import { isLoopback } from './http/host-check.ts';
import { keepServing } from './keep-serving.ts';
import { ListenError } from './listen.ts';
import { giveRunKey, openDoorWarning, readyLine, readyText } from './report.ts';
import { RestoreError } from './restore-error.ts';
import { systemClock } from './lib/clock.ts';
import { createNotices, type NewNotice, type Notices } from './lib/notices.ts';
import { DATA_FILE, NOTICES_FILE, type Serving } from './serve.ts';

/** What Node runs; this file is loaded by it. */
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const EXIT = { failed: 1, badOption: 2, folderInUse: 3 };
/** A message to the desktop shell needs a moment to leave the process. */
const LAST_WORD_MS = 50;

/** The desktop shell, when it started this process (Electron's `process.parentPort`). */
interface Shell {
  postMessage(message: unknown): void;
  on(
    event: 'message',
    listener: (event: { data: { type?: string; id?: number; reason?: string } }) => void,
  ): void;
}

const shell = (process as { parentPort?: Shell }).parentPort ?? null;
// A reader that went away is no reason to fall over.
process.stdout.on('error', () => undefined);

try {
  await run(readConfig(process.argv.slice(2), process.env, machine()));
} catch (error) {
  await end(error);
}

function machine() {
  return {
    platform: process.platform,
    homeDir: homedir(),
    workingDir: process.cwd(),
    totalMemory: totalmem(),
  };
}

async function run(config: Config): Promise<void> {
  if (config.command === 'help') process.stdout.write(helpText(version));
  else if (config.command === 'version') process.stdout.write(`${version}\n`);
  else if (config.command === 'url') process.stdout.write(`${await askForConsoleLink(config.dataDir)}\n`);
  else if (config.restoreFile !== null)
    process.stdout.write(`${await runRestore(config, config.restoreFile)}\n`);
  else if (config.command === 'check') process.exitCode = await runCheck(config);
  else await runServer(config);
}

async function runRestore({ dataDir, memoryLimit }: Config, file: string): Promise<string> {
  // It opens DuckDB in this thread, which no other command does.
  const { restore } = await import('./restore.ts');
  return await restore({
    file,
    dataDir,
    dataFile: DATA_FILE,
    memoryLimitBytes: memoryLimit,
    // The desktop app is Electron, which its package forbids to run as Node.
    program: process.versions['electron'] === undefined ? [process.execPath, MAIN] : null,
    now: Date.now(),
  });
}

/** Prints what it found; returns the exit code. */
async function runCheck(config: Config): Promise<number> {
  const { check, checkText } = await import('./check.ts');
  const path = config.checkFile ?? join(config.dataDir, DATA_FILE);
  const report = await check(path, config.memoryLimit);
  process.stdout.write(`${config.json ? JSON.stringify(report) : checkText(report)}\n`);
  return report.ok ? 0 : EXIT.failed;
}

async function runServer(config: Config): Promise<void> {
  const destination = pino.destination({ dest: 2, sync: true });
  const log = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
  const crash = (error: unknown): void => {
    log.error({ err: error }, 'Burrow failed and stops');
    process.exit(EXIT.failed);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);

  const notices = createNotices({
    clock: systemClock,
    log,
    file: config.ephemeral ? null : join(config.dataDir, NOTICES_FILE),
  });
  const consoleDir = fileURLToPath(new URL('../renderer', import.meta.url));
  const serving = await keepServing({
    config,
    log,
    notices,
    version,
    pid: process.pid,
    workerUrl: new URL('./store-thread.mjs', import.meta.url),
    parserUrl: new URL('./parse-thread.mjs', import.meta.url),
    consoleDir: existsSync(consoleDir) ? consoleDir : null,
    staticDir: fileURLToPath(new URL('../static', import.meta.url)),
    sharedDir: fileURLToPath(new URL('../shared-page', import.meta.url)),
    countryFile: fileURLToPath(new URL('../geoip/country.mmdb', import.meta.url)),
    onProgress(step) {
      log.info(step);
      shell?.postMessage({ type: 'progress', step, dataDir: config.ephemeral ? null : config.dataDir });
    },
    onCrash: crash,
    restore: (file) => runRestore(config, file),
    onBack() {
      if (runKey !== null) giveRunKey(serving, runKey);
      if (shell !== null) tellReady(shell, serving, config);
    },
  });
  const runKey = config.json ? giveRunKey(serving) : null;
  stopOnSignals(serving);
  if (shell !== null) answerShell(shell, { serving, config, notices });
  const report = { config, serving, version, pid: process.pid };
  if (runKey !== null) process.stdout.write(`${readyLine(report, runKey)}\n`);
  else if (shell === null) return void process.stdout.write(readyText(report));
  if (!isLoopback(config.host)) log.warn({ host: config.host }, openDoorWarning(config.host));
}

/** One request to stop may arrive several times: from the terminal, from npm, and from whoever started npm. */
const SAME_REQUEST_MS = 1_000;

/** The first signal drains; one that comes after a moment ends at once. */
function stopOnSignals(serving: Serving): void {
  let askedAt: number | null = null;
  const stop = (): void => {
    if (askedAt === null) {
      askedAt = performance.now();
      void drainAndExit(serving);
    } else if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(EXIT.failed);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

async function drainAndExit(serving: Serving): Promise<void> {
  await serving.drain();
  process.exit(0);
}

function answerShell(
  port: Shell,
  { serving, config, notices }: { serving: Serving; config: Config; notices: Notices },
): void {
  port.on('message', ({ data }) => {
    if (data.type === 'ping') port.postMessage({ type: 'pong' });
    if (data.type === 'restarted') notices.raise(restartNotice(data.reason));
    if (data.type === 'drain') void drainAndExit(serving);
    if (data.type === 'sign-in') {
      port.postMessage({ type: 'sign-in', id: data.id, consoleUrl: serving.newConsoleUrl() });
    }
  });
  tellReady(port, serving, config);
}

/** Tells users of the desktop app that their server was gone for a moment. */
function restartNotice(reason: string | undefined): NewNotice {
  const why = reason === 'silent' ? 'stopped answering' : 'ended unexpectedly';
  return {
    id: 'server_restarted',
    level: 'warning',
    title: 'Burrow’s server was restarted',
    text: `It ${why}. Every event that it had acknowledged is stored; what was not acknowledged, most SDKs send again.`,
    page: null,
    refusesEvents: false,
    dismissible: true,
  };
}

/** Said again when the server began anew: the shell signs its windows in then. */
function tellReady(port: Shell, serving: Serving, config: Config): void {
  const dataDir = config.ephemeral ? null : config.dataDir;
  port.postMessage({ type: 'ready', url: serving.url, port: serving.port, version, dataDir });
}

/** Says why Burrow cannot go on, in a sentence where the reason is known, and ends. */
async function end(error: unknown): Promise<never> {
  const known = [
    ConfigError,
    FlagFileError,
    GeoipFileError,
    NotRunningError,
    RestoreError,
    StoreOpenError,
    ListenError,
  ];
  const isKnown = known.some((kind) => error instanceof kind);
  const message =
    isKnown || isFileError(error) || isDamage(error)
      ? (error as Error).message
      : String((error as Error).stack ?? error);
  const exitCode = exitCodeOf(error);
  process.stderr.write(`${message}\n`);
  if (shell !== null) {
    shell.postMessage({ type: 'failed', message, exitCode });
    await new Promise((resolve) => setTimeout(resolve, LAST_WORD_MS));
  }
  process.exit(exitCode);
}

function exitCodeOf(error: unknown): number {
  const isOption = [ConfigError, FlagFileError, GeoipFileError].some((kind) => error instanceof kind);
  if (isOption) return EXIT.badOption;
  return error instanceof StoreOpenError && error.reason === 'locked' ? EXIT.folderInUse : EXIT.failed;
}

/** `EACCES: permission denied, mkdir '/data'` says enough without a stack. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setMaxListeners } from 'node:events';
import { homedir, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { version } from '../package.json';
import { completionScript } from './cli-completion.ts';
import { commandHelpText, helpText, manualPage } from './cli-help.ts';
import { isCommand, type Command } from './cli-table.ts';
import { CommandError, type Terminal } from './commands/terminal.ts';
import { readConfig, SETTINGS_FILE, type Config } from './config.ts';
import { askForConsoleLink, NotRunningError } from './console-link.ts';
import { StoreOpenError } from './db/client.ts';
import { isDamage } from './db/store-damage.ts';
import { createDesktopOptions } from './desktop-options.ts';
import { answerShell, failureOf, tellReady, type Shell } from './desktop-shell.ts';
import { ApiError } from './errors.ts';
import { isLoopback } from './http/host-check.ts';
import { isJsonObject } from './lib/exact-number.contract.ts';
import { keepServing } from './keep-serving.ts';
import { ListenError } from './listen.ts';
import { ownCommand, quoted } from './own-command.ts';
import { giveRunKey, openDoorWarning, readyLine, readyText } from './report.ts';
import type { Restored } from './restore.ts';
import { RestoreError } from './restore-error.ts';
import { systemClock } from './lib/clock.ts';
import { ConfigError } from './lib/config-error.ts';
import { newUuid } from './lib/ids.ts';
import { createNotices } from './lib/notices.ts';
import { DATA_FILE, ENDING_FILE, NOTICES_FILE, type Serving } from './serve.ts';
import { createWatch } from './start-watch.ts';
import { writeEnding, type QueryName } from './lib/stopped-queries.ts';

const SPILL_FOLDER = /^burrow-spill-(\d+)-[\w-]+$/;
const EXIT = { failed: 1, badOption: 2, folderInUse: 3, stuck: 4 };
/** Statements that do not stop and have been given up; with one more the process is of no use. */
const MAX_STUCK = 2;
/** What was accepted gets this long to be stored before such a process ends. */
const STUCK_DRAIN_MS = 10_000;
/** What Node runs; this file is loaded by it. */
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
/** A message to the desktop shell needs a moment to leave the process. */
const LAST_WORD_MS = 50;

/** The desktop shell, when it started this process. */
const shell = (process as { parentPort?: Shell }).parentPort ?? null;
// A reader that went away is no reason to fall over.
process.stdout.on('error', () => undefined);

try {
  await run(readConfig(process.argv.slice(2), process.env, machine(), readSettings));
} catch (error) {
  await end(error);
}

/** What the desktop app has set for the data folder. Throws ConfigError for a file that holds no settings. */
function readSettings(dataDir: string): Record<string, unknown> {
  const file = join(dataDir, SETTINGS_FILE);
  if (!existsSync(file)) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isJsonObject(settings)) return settings;
    throw new Error('it is no object');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}. Correct it or delete it.`);
  }
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
  const { command, argument, dataDir, call } = config;
  const print = (text: string): void => void process.stdout.write(text);
  switch (command) {
    case 'help':
      if (call.man) return print(manualPage(version));
      return print(argument !== null && isCommand(argument) ? commandHelpText(argument) : helpText(version));
    case 'version':
      return print(`${version}\n`);
    case 'completion':
      return print(completionScript(argument!));
    case 'url':
      return answerUrl(await askForConsoleLink(dataDir, startCommand(config)), print);
    case 'restore':
      return answerRestored((await runRestore(config, argument!)).text, print);
    case 'check':
      process.exitCode = await runCheck(config);
      return;
    case 'serve':
      return await runServer(config);
    default:
      await runCall(config, command);
  }
}

/** Desktops keep what the app prints in a journal, and the link signs its reader in. */
function answerUrl(consoleUrl: string, print: (text: string) => void): void {
  if (shell === null) print(`${consoleUrl}\n`);
  else shell.postMessage({ type: 'sign-in', id: 0, consoleUrl });
}

function answerRestored(text: string, print: (text: string) => void): void {
  print(`${text}\n`);
  shell?.postMessage({ type: 'restored', text });
}

/** Commands that reach the running server, each loaded when it is called. */
async function runCall(
  config: Config,
  command:
    'open' | 'tail' | 'query' | 'export' | 'import' | 'demo' | 'graduate' | 'backup' | 'warehouse' | 'mcp',
): Promise<void> {
  const terminal = openTerminal(config);
  try {
    if (command === 'open') await (await import('./commands/open.ts')).open(config, terminal);
    else if (command === 'tail') await (await import('./commands/tail.ts')).tail(config, terminal);
    else if (command === 'query') await (await import('./commands/query.ts')).query(config, terminal);
    else if (command === 'export' && config.call.all)
      await (await import('./commands/export-all.ts')).exportAll(config, terminal);
    else if (command === 'export')
      await (await import('./commands/export.ts')).exportEvents(config, terminal);
    else if (command === 'warehouse')
      await (await import('./commands/warehouse.ts')).warehouse(config, terminal);
    else if (command === 'mcp') await (await import('./commands/mcp.ts')).mcp(config, terminal);
    else if (command === 'import') await (await import('./commands/import.ts')).importFile(config, terminal);
    else if (command === 'graduate')
      await (await import('./commands/graduate.ts')).graduate(config, terminal);
    else if (command === 'demo') await (await import('./commands/demo.ts')).demo(config, terminal);
    else await (await import('./commands/backup.ts')).backup(config, DATA_FILE, terminal);
  } catch (error) {
    if (terminal.signal.aborted) throw new CommandError(`${command} was interrupted.`, { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
      throw new CommandError('The server has closed the connection.', { cause: error });
    throw error;
  }
}

function openTerminal(config: Config): Terminal {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end);
  process.stdout.once('error', end);
  // Every request of a command listens to it, one after the other.
  setMaxListeners(0, stop.signal);
  const { stdin, stdout, stderr, env, platform } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    platform,
    signal: stop.signal,
    clock: systemClock,
    startCommand: startCommand(config),
  };
}

function ownName(): string {
  const { argv, env } = process;
  return ownCommand({
    // The launcher of a package says how it was called (resources/linux/burrow).
    script: env['BURROW_COMMAND'] ?? argv[1] ?? 'burrow',
    workingDir: process.cwd(),
    searchPath: env['PATH'] ?? '',
  });
}

/** What prints another link to this server; null: nothing can, as it leaves no trace on disk. */
function linkCommand(config: Config): string | null {
  return config.ephemeral ? null : withFolder('url', config);
}

function startCommand(config: Config): string {
  return withFolder('serve', config);
}

/** How this program is called with a command for the same data folder. */
function withFolder(command: Command, { dataDir }: Config): string {
  const usual = readConfig([], { ...process.env, BURROW_DATA_DIR: '' }, machine()).dataDir;
  return `${ownName()} ${command}${dataDir === usual ? '' : ` --data-dir ${quoted(dataDir)}`}`;
}

async function runRestore({ dataDir, memoryLimit }: Config, file: string): Promise<Restored> {
  // It opens DuckDB in this thread, which no other command does.
  const { restore } = await import('./restore.ts');
  return await restore({
    file,
    dataDir,
    dataFile: DATA_FILE,
    memoryLimitBytes: memoryLimit,
    // Electron runs as Node on Linux only: elsewhere its package forbids that (decision 112).
    program:
      process.versions['electron'] === undefined || process.platform === 'linux'
        ? { command: [process.execPath, MAIN], env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }
        : null,
    now: Date.now(),
  });
}

/** Prints what it found; returns the exit code. */
async function runCheck(config: Config): Promise<number> {
  const { check, checkText } = await import('./check.ts');
  const path = config.argument ?? join(config.dataDir, DATA_FILE);
  const report = await check(path, config.memoryLimit);
  process.stdout.write(`${config.json ? JSON.stringify(report) : checkText(report, ownName())}\n`);
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
    exit(EXIT.failed, serving);
  };
  let serving: Serving | null = null;
  process.on('uncaughtException', crash).on('unhandledRejection', crash);

  if (config.ephemeral) removeLeftSpills();
  const notices = createNotices({
    clock: systemClock,
    log,
    file: config.ephemeral ? null : join(config.dataDir, NOTICES_FILE),
    onRaise: ({ title, text }) => shell?.postMessage({ type: 'notice', title, text }),
  });
  const endingFile = config.ephemeral ? null : join(config.dataDir, ENDING_FILE);
  const watch = createWatch({
    watchUrl: new URL('./watch-thread.mjs', import.meta.url),
    memoryLimitBytes: config.memoryLimit,
    endingFile,
    now: systemClock,
    log,
    notices,
  });
  const stuck: QueryName[] = [];
  const consoleDir = fileURLToPath(new URL('../renderer', import.meta.url));
  serving = await keepServing({
    config,
    log,
    notices,
    version,
    pid: process.pid,
    spillFolder: join(tmpdir(), `burrow-spill-${process.pid}-${newUuid()}`),
    workerUrl: new URL('./store-thread.mjs', import.meta.url),
    parserUrl: new URL('./parse-thread.mjs', import.meta.url),
    importUrl: new URL('./import-thread.mjs', import.meta.url),
    consoleDir: existsSync(consoleDir) ? consoleDir : null,
    staticDir: fileURLToPath(new URL('../static', import.meta.url)),
    sharedDir: fileURLToPath(new URL('../shared-page', import.meta.url)),
    countryFile: fileURLToPath(new URL('../geoip/country.mmdb', import.meta.url)),
    onProgress(step) {
      log.info(step);
      shell?.postMessage({ type: 'progress', step, dataDir: config.ephemeral ? null : config.dataDir });
    },
    watch,
    onAlert: (notice) => shell?.postMessage({ type: 'notice', ...notice }),
    onStuck(query, count) {
      if (query !== null) stuck.push(query);
      log.error({ query: query?.text, count }, 'A statement did not stop and was given up');
      if (count <= MAX_STUCK || serving === null) return;
      if (endingFile !== null)
        writeEnding(endingFile, { reason: 'stuck', queries: stuck.slice(-count), at: systemClock() });
      void endStuck(serving);
    },
    onCrash: crash,
    restore: (file) => runRestore(config, file),
    onBack() {
      if (serving === null) return;
      if (runKey !== null) giveRunKey(serving, runKey);
      if (shell !== null) tellReady(shell, { serving, config, version });
    },
  });
  watch.begin();
  const runKey = config.json ? giveRunKey(serving) : null;
  stopOnSignals(serving);
  if (config.exitWithStdin) stopWithStdin(serving);
  if (shell !== null) {
    const running = serving;
    const options = createDesktopOptions({
      argv: process.argv.slice(2),
      env: process.env,
      machine: machine(),
      port: () => running.port,
      readSettings,
    });
    const drain = () => void drainAndExit(running);
    answerShell(shell, { serving, config, notices, log, version, options, drain });
  }
  const report = { config, serving, version, pid: process.pid, notices: notices.list() };
  if (runKey !== null) process.stdout.write(`${readyLine(report, runKey)}\n`);
  else if (shell === null) return void process.stdout.write(readyText(report, linkCommand(config)));
  if (!isLoopback(config.host)) log.warn({ host: config.host }, openDoorWarning(config.host));
}

/** Removes what processes without a file have spilled that were killed. */
function removeLeftSpills(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = SPILL_FOLDER.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) removeOwn(join(tmpdir(), name));
  }
}

/** Another user's folder stays. */
function removeOwn(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is theirs.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One request to stop may arrive several times: from the terminal, from npm, and from the parent of npm. */
const SAME_REQUEST_MS = 1_000;

/** The first signal drains; a later one, after `SAME_REQUEST_MS`, ends the process immediately. */
function stopOnSignals(serving: Serving): void {
  let askedAt: number | null = null;
  const stop = (): void => {
    if (askedAt === null) {
      askedAt = performance.now();
      void drainAndExit(serving);
    } else if (performance.now() - askedAt > SAME_REQUEST_MS) exit(EXIT.failed, serving);
  };
  // A closed terminal sends SIGHUP. Node gives up what `nohup` has set, so it drains there too.
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
}

/** The system closes the pipe of a process that ends, also of one that is killed. What comes through it is ignored. */
function stopWithStdin(serving: Serving): void {
  const stop = (): void => void drainAndExit(serving);
  process.stdin.once('end', stop).once('close', stop).once('error', stop).resume();
}

async function drainAndExit(serving: Serving): Promise<void> {
  await serving.drain();
  exit(0, serving);
}

/** Stores what was accepted as far as that goes, and ends, so that the parent starts the server again. */
async function endStuck(serving: Serving): Promise<void> {
  await Promise.race([serving.drain(), new Promise((resolve) => setTimeout(resolve, STUCK_DRAIN_MS))]);
  exit(EXIT.stuck, serving);
}

/** Ends the process. Node waits for its pool at an exit, and so for a statement that never ends: then a signal ends it. */
function exit(code: number, serving: Serving | null): void {
  if (serving?.isStuck === true) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}

/** Says why Burrow cannot go on, in a sentence where the reason is known, and ends. */
async function end(error: unknown): Promise<never> {
  const known = [
    ApiError,
    CommandError,
    ConfigError,
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
  const isCorrupt = error instanceof StoreOpenError && error.reason === 'corrupt';
  // Users of the desktop app have no command line to restore with.
  const way = isCorrupt ? ` Restore one with: ${ownName()} restore <file>` : wayOf(error);
  process.stderr.write(`${message}${shell === null ? way : ''}\n`);
  if (shell !== null) {
    shell.postMessage({ type: 'failed', message, exitCode, ...failureOf(error), dataDir: dataDir() });
    await new Promise((resolve) => setTimeout(resolve, LAST_WORD_MS));
  }
  process.exit(exitCode);
}

function wayOf(error: unknown): string {
  return error instanceof ListenError && error.advice !== '' ? ` ${error.advice}` : '';
}

/** Where the data would be; null when the options cannot be read, or nothing is kept. */
function dataDir(): string | null {
  try {
    const { ephemeral, dataDir: folder } = readConfig(process.argv.slice(2), process.env, machine());
    return ephemeral ? null : folder;
  } catch {
    return null;
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.badOption;
  return error instanceof StoreOpenError && error.reason === 'locked' ? EXIT.folderInUse : EXIT.failed;
}

/** `EACCES: permission denied, mkdir '/data'` says enough without a stack. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

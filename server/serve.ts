import { mkdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { openStore, StoreOpenError, type Store } from './db/client.ts';
import { isFatal } from './db/fatal.ts';
import { restoreAdvice } from './db/store-damage.ts';
import { ApiError } from './errors.ts';
import type { AlertNotice } from './features/alerts/index.ts';
import type { Restores } from './features/backups/index.ts';
import type { ServerInfo } from './features/console/index.ts';
import { isLoopback } from './http/host-check.ts';
import { consoleUrl, createSessions } from './http/session.ts';
import { answerWhileReopening } from './reopening.ts';
import { createHogqlParser, type HogqlParser } from './hogql/parse/hogql-parser.ts';
import { startParserThread } from './hogql/parse/start-parser.ts';
import { listen, type Listener } from './listen.ts';
import { systemClock } from './lib/clock.ts';
import { newSecret, newUuid } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import type { Notices } from './lib/notices.ts';
import type { QueryName } from './lib/stopped-queries.ts';
import { settleRestore } from './restore-steps.ts';
import { removeRunFile, writeRunFile } from './run-file.ts';
import type { Watch } from './start-watch.ts';

/** The database in the data folder. */
export const DATA_FILE = 'burrow.duckdb';
/** Why the process was ended by the watch, in the data folder, until the next start. */
export const ENDING_FILE = 'ending.json';
/** What users have to see until they dismiss it, in the data folder. */
export const NOTICES_FILE = 'notices.json';

export interface ServeOptions {
  config: Config;
  log: Log;
  notices: Notices;
  version: string;
  pid: number;
  /** Where a database in memory writes what exceeds it; it names the process, so that a later one can tell what was left. */
  spillFolder: string;
  /** The file of the thread that owns the database. */
  workerUrl: URL;
  /** The file of the thread that parses HogQL. */
  parserUrl: URL;
  /** The file of the thread that reads imported files. */
  importUrl: URL;
  consoleDir: string | null;
  staticDir: string;
  sharedDir: string;
  /** The file that says in which country an address lies. */
  countryFile: string;
  /** Goes back to backups. */
  restores: Restores;
  /** Called with what takes a while before the server listens. */
  onProgress: (step: string) => void;
  /** Shows an alert on this machine. */
  onAlert: (notice: AlertNotice) => void;
  /** Called when the server answers again after it has reopened its database, with a new app. */
  onReopened: () => void;
  /** Watches what queries take. */
  watch: Pick<Watch, 'running' | 'stopped' | 'onInterrupt' | 'onShed'>;
  /** Called when statements did not stop, and go on where nothing can end them. */
  onStuck: (query: QueryName | null, count: number) => void;
  /** Called when the database's thread dies of a fault: nothing can be stored after that. */
  onCrash: (error: Error) => void;
}

/** A server that answers. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** Whether statements go on that nothing stops: the process cannot exit before they end. */
  readonly isStuck: boolean;
  /** The console's address with a fresh one-time token. */
  newConsoleUrl(): string;
  /** Stops accepting, answers what was accepted, stores it, and closes the database. Called again, waits for the same. */
  drain(): Promise<void>;
}

/**
 * Makes the folder, opens the database, builds the app, listens, and writes `burrow.json`. Throws StoreOpenError,
 * ListenError, ConfigError, or what the file system throws; then nothing is left open.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { config, log, version, pid } = options;
  const startedAt = systemClock();
  let listener: Listener | null = null;
  let opened: Opened | null = null;
  let drained: Promise<void> | null = null;
  let reopening: Promise<void> = Promise.resolve();
  const unanswered = new Set<ServerResponse>();
  const sessions = createSessions({ clock: systemClock, newSecret: () => newSecret('') });
  if (!config.ephemeral) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const settled = await settleRestore(config.dataDir, DATA_FILE);
    if (settled !== null) log.warn({ dataDir: config.dataDir }, settled);
  }

  async function open(): Promise<Opened> {
    const state = { isReady: true };
    const opening = openStore({
      path: config.ephemeral ? null : join(config.dataDir, DATA_FILE),
      memoryLimitBytes: config.memoryLimit,
      spillFolder: options.spillFolder,
      services: {
        capture: {
          maxBodyBytes: config.maxBody,
          rateLimits: config.rateLimits,
          countryFile: options.countryFile,
          fast: config.fast,
          hasWarehouse: config.warehouse !== null,
        },
      },
      log,
      notices: options.notices,
      workerUrl: options.workerUrl,
      onProgress: options.onProgress,
      onRunning: (queries, isQuerying) => options.watch.running(queries, isQuerying),
      onStuck: options.onStuck,
      onCrash(error) {
        state.isReady = false;
        if (opened?.store !== store || !isFatal(error) || config.ephemeral) return options.onCrash(error);
        beginReopening(opened, error);
      },
    });
    // The app is most of the server's code: it is read while the database opens.
    const loading = import('./app.ts');
    const store = await opening;
    const parser = createHogqlParser({
      start: (events) => startParserThread(options.parserUrl, events),
    });
    try {
      const { createApp } = await loading;
      const app = await createApp({
        ...options,
        store,
        parser,
        stoppedQueries: options.watch.stopped,
        sessions,
        clock: systemClock,
        newId: newUuid,
        readServerInfo: () => serverInfoOf(config, version, listener!, startedAt),
        isReady: () => state.isReady && listener !== null && drained === null,
      });
      return { app, store, parser };
    } catch (error) {
      await parser.close();
      await store.close().catch(() => undefined);
      throw isDamaged(error) ? damagedError() : error;
    }
  }

  /** Whether what the features read as they begin lies in a damaged block. */
  function isDamaged(error: unknown): boolean {
    return (
      error instanceof ApiError &&
      error.errorName === 'database_unavailable' &&
      options.notices.refusal()?.id === 'store_damaged'
    );
  }

  function damagedError(): StoreOpenError {
    const path = join(config.dataDir, DATA_FILE);
    const text = `${path} is damaged: part of it cannot be read. ${restoreAdvice(path)}`;
    return new StoreOpenError('corrupt', text, null);
  }

  function beginReopening(ended: Opened, error: Error): void {
    reopening = reopen(ended, error).catch(options.onCrash);
  }

  /** After an error that makes DuckDB refuse everything: opens the file in a new thread, as often as it takes. */
  async function reopen(ended: Opened, error: Error): Promise<void> {
    log.error(
      { err: error },
      'The database failed and is being reopened; requests receive status 503 until then',
    );
    opened = null;
    for (const res of unanswered) answerWhileReopening(res, options.notices);
    await ended.app.close().catch(() => undefined);
    await ended.parser.close();
    for (let failures = 0; drained === null; failures++) {
      try {
        opened = await open();
        await noteRun(opened);
        options.onReopened();
        return log.info({ failures }, 'The database is open again');
      } catch (failure) {
        // What cannot be read does not become readable by waiting.
        if (failure instanceof StoreOpenError && failure.reason === 'corrupt') throw failure;
        if (failures === 0) log.error({ err: failure }, 'The database cannot be opened yet');
        await new Promise((resolve) => setTimeout(resolve, REOPEN_EVERY_MS));
      }
    }
  }

  /** Writes `burrow.json`. A server goes on without it when there is no room for it: only `burrow url` needs it. */
  async function noteRun({ app }: Opened): Promise<void> {
    if (config.ephemeral) return;
    const key = app.features.console.newLinkKey();
    await writeRunFile(config.dataDir, { url: listener!.url, pid, version, key }).catch((error: unknown) =>
      log.warn({ err: error }, 'burrow.json could not be written'),
    );
  }

  opened = await open();
  try {
    listener = await listen(
      (req, res) => {
        unanswered.add(res);
        res.once('close', () => unanswered.delete(res));
        if (opened === null) answerWhileReopening(res, options.notices);
        else opened.app.handle(req, res);
      },
      config.host,
      config.port,
    );
    await noteRun(opened);
    const { url, port } = listener;
    options.watch.onShed = () => opened?.store.shedCache();
    options.watch.onInterrupt = () => opened?.store.interruptAll();
    return {
      get isStuck() {
        return (opened?.store.stuckCount ?? 0) > 0;
      },
      url,
      port,
      get app() {
        return opened!.app;
      },
      newConsoleUrl: () => consoleUrl(url, opened!.app.features.console.issueToken()),
      drain() {
        drained ??= (async () => {
          await reopening;
          await drain(listener!, opened, config, pid);
        })();
        return drained;
      },
    };
  } catch (error) {
    await opened.store.close().catch(() => undefined);
    throw error;
  }
}

/** What is remade when the database is reopened. */
interface Opened {
  app: App;
  store: Store;
  parser: HogqlParser;
}

const REOPEN_EVERY_MS = 1_000;

async function drain(listener: Listener, opened: Opened | null, config: Config, pid: number): Promise<void> {
  const closed = listener.drain();
  // Ends the streams that would never end by themselves.
  await opened?.app.close();
  await closed;
  await opened?.parser.close();
  await opened?.store.close();
  if (!config.ephemeral) await removeRunFile(config.dataDir, pid);
}

function serverInfoOf(config: Config, version: string, listener: Listener, startedAt: number): ServerInfo {
  return {
    version,
    url: listener.url,
    port: listener.port,
    host: config.host,
    listens_beyond_loopback: !isLoopback(config.host),
    lan_addresses: lanAddresses(),
    data_file: config.ephemeral ? null : DATA_FILE,
    data_dir: config.ephemeral ? null : config.dataDir,
    ephemeral: config.ephemeral,
    memory_limit: config.memoryLimit,
    started_at: new Date(startedAt).toISOString(),
  };
}

function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => address.family === 'IPv4' && !address.internal)
    .map((address) => address.address);
}

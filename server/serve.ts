import { mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createApp, type App } from './app.ts';
import type { Config } from './config.ts';
import { openStore, type Store } from './db/client.ts';
import type { Restores } from './features/backups/index.ts';
import { consoleUrl, type ServerInfo } from './features/console/index.ts';
import { isLoopback } from './http/host-check.ts';
import { createHogqlParser, type HogqlParser } from './hogql/parse/hogql-parser.ts';
import { readPlain } from './hogql/parse/plain/read-plain.ts';
import { startParserThread } from './hogql/parse/start-parser.ts';
import { listen, type Listener } from './listen.ts';
import { systemClock } from './lib/clock.ts';
import { newUuid } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import type { Notices } from './lib/notices.ts';
import { settleRestore } from './restore-steps.ts';
import { removeRunFile, writeRunFile } from './run-file.ts';

/** The database in the data folder. */
export const DATA_FILE = 'burrow.duckdb';
/** What users have to see until they dismiss it, in the data folder. */
export const NOTICES_FILE = 'notices.json';

export interface ServeOptions {
  config: Config;
  log: Log;
  notices: Notices;
  version: string;
  pid: number;
  /** The file of the thread that owns the database. */
  workerUrl: URL;
  /** The file of the thread that parses HogQL. */
  parserUrl: URL;
  consoleDir: string | null;
  staticDir: string;
  sharedDir: string;
  /** The file that says in which country an address lies. */
  countryFile: string;
  /** Goes back to backups. */
  restores: Restores;
  /** Called with what takes a while before the server listens. */
  onProgress: (step: string) => void;
  /** Called when the database's thread dies: nothing can be stored after that. */
  onCrash: (error: Error) => void;
}

/** A server that answers. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** The console's address with a fresh one-time token. */
  newConsoleUrl(): string;
  /** Stops accepting, answers what was accepted, stores it, and closes the database. Called again, waits for the same. */
  drain(): Promise<void>;
}

/**
 * Makes the folder, opens the database, builds the app, listens, and writes `burrow.json`. Throws StoreOpenError,
 * ListenError, GeoipFileError, FlagFileError, or what the file system throws; then nothing is left open.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { config, log, version, pid } = options;
  const state = { isReady: false, listener: null as Listener | null, startedAt: systemClock() };
  if (!config.ephemeral) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const settled = await settleRestore(config.dataDir, DATA_FILE);
    if (settled !== null) log.warn({ dataDir: config.dataDir }, settled);
  }
  const store = await openStore({
    path: config.ephemeral ? null : join(config.dataDir, DATA_FILE),
    memoryLimitBytes: config.memoryLimit,
    services: {
      capture: {
        maxBodyBytes: config.maxBody,
        rateLimits: config.rateLimits,
        countryFile: options.countryFile,
      },
    },
    log,
    notices: options.notices,
    workerUrl: options.workerUrl,
    onProgress: options.onProgress,
    onCrash: (error) => {
      state.isReady = false;
      options.onCrash(error);
    },
  });
  const parser = createHogqlParser({
    start: (events) => startParserThread(options.parserUrl, events),
    readAtOnce: readPlain,
  });
  try {
    const app = await createApp({
      ...options,
      store,
      parser,
      clock: systemClock,
      newId: newUuid,
      readServerInfo: () => serverInfoOf(config, version, state.listener!, state.startedAt),
      isReady: () => state.isReady,
    });
    const listener = await listen((req, res) => app.handle(req, res), config.host, config.port);
    state.listener = listener;
    state.isReady = true;
    if (!config.ephemeral) {
      const key = app.features.console.newLinkKey();
      await writeRunFile(config.dataDir, { url: listener.url, pid, version, key });
    }
    let drained: Promise<void> | null = null;
    return {
      url: listener.url,
      port: listener.port,
      app,
      newConsoleUrl: () => consoleUrl(listener.url, app.features.console.issueToken()),
      drain() {
        state.isReady = false;
        drained ??= drain(listener, app, { store, parser }, config, pid);
        return drained;
      },
    };
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

async function drain(
  listener: Listener,
  app: App,
  { store, parser }: { store: Store; parser: HogqlParser },
  config: Config,
  pid: number,
): Promise<void> {
  const closed = listener.drain();
  // Ends the streams that would never end by themselves.
  await app.close();
  await closed;
  await parser.close();
  await store.close();
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

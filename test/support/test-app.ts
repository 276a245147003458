import { createServer } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, onTestFinished } from 'vitest';
import { createApp, type App } from '../../server/app.ts';
import type { AlertNotice } from '../../server/features/alerts/index.ts';
import { readConfig, type Config } from '../../server/config.ts';
import type { Store } from '../../server/db/client.ts';
import { newUuid } from '../../server/lib/ids.ts';
import type { Log } from '../../server/lib/log.ts';
import { readWarehouseAddress } from '../../server/lib/warehouse-address.ts';
import { createNotices, type Notices } from '../../server/lib/notices.ts';
import { createStoppedQueries } from '../../server/lib/stopped-queries.ts';
import { createAnswerCheck } from './answer-check.ts';
import { createTestParser } from './hogql-parser.ts';
import { PATIENCE_MS } from './patience.ts';
import { COUNTRY_FILE, FAST, openTestStore } from './store.ts';

/** A clock that moves only when a test moves it. */
export interface TestClock {
  /** Unix milliseconds. */
  now: number;
}

export interface TestRequest {
  method?: string;
  /** Sent as Bearer; the owner's full key when absent, none when null. */
  key?: string | null;
  /** Sent as JSON, unless it is text already. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body as JSON; throws when it is none. */
  readonly json: any;
}

export interface TestApp {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  readonly store: Store;
  readonly clock: TestClock;
  readonly notices: Notices;
  /** A key of the owner with every scope. */
  readonly key: string;
  /** What was logged as an error, newest last. */
  readonly errors: { fields: object; message: string }[];
  /** Answers that were not what their route promises; any of them fails the test. */
  readonly faults: readonly string[];
  ask(path: string, request?: TestRequest): Promise<TestResponse>;
}

export const TEST_KEY = 'phx_test_key_of_the_owner';
export const TEST_TOKEN = 'phc_test_token_of_project_1';

/**
 * The whole app over real HTTP on a free port of the loopback address, on a real store in memory, until the running
 * test ends. The first start has taken TEST_TOKEN and TEST_KEY. The test fails when an answer of the management API is not
 * what its route promises: the schema of its body, its status, or an error of the table that the route may give.
 */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { app, stop } = await startTestApp(options);
  onTestFinished(async () => {
    await stop();
    failOn(app.faults);
  });
  return app;
}

/**
 * One app for all tests of a file; for tests that leave nothing behind: refusals, and reading what
 * the first start has created. Call it at the beginning of the file. A fault fails only the test that caused it.
 */
export function shareTestApp(
  options: TestAppOptions = {},
): (() => Promise<TestApp>) & { forAll(): Promise<TestApp> } {
  let starting: ReturnType<typeof startTestApp> | null = null;
  afterAll(async () => {
    await (await starting)?.stop();
  });
  const start = async (): Promise<TestApp> => (await (starting ??= startTestApp(options))).app;
  const share = async (): Promise<TestApp> => {
    const app = await start();
    const known = app.faults.length;
    onTestFinished(() => failOn(app.faults.slice(known)));
    return app;
  };
  /** For `beforeAll`, outside of any test. */
  return Object.assign(share, { forAll: start });
}

function failOn(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

interface TestAppOptions {
  config?: Partial<Config>;
  consoleDir?: string;
  sharedDir?: string;
  store?: Store;
  /** What the desktop app would show. */
  onAlert?: (notice: AlertNotice) => void;
}

async function startTestApp(options: TestAppOptions): Promise<{ app: TestApp; stop: () => Promise<void> }> {
  const clock: TestClock = { now: Date.UTC(2026, 10, 20, 9, 30) };
  const errors: TestApp['errors'] = [];
  const check = createAnswerCheck();
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => void errors.push({ fields, message }),
  };
  const config: Config = { ...defaults(), ...newWarehouse(), ...options.config };
  const limits = { maxBodyBytes: config.maxBody, rateLimits: config.rateLimits };
  const notices = createNotices({ clock: () => clock.now, log, file: null });
  const store = options.store ?? (await openTestStore({ clock: () => clock.now, log, notices, ...limits }));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const app = await createApp({
    config,
    store,
    parser: createTestParser(),
    importUrl: null,
    clock: () => clock.now,
    newId: newUuid,
    log,
    consoleDir: options.consoleDir ?? null,
    staticDir: 'dist/static',
    sharedDir: options.sharedDir ?? 'dist/shared-page',
    countryFile: COUNTRY_FILE,
    version: '0.0.0-test',
    readServerInfo: () => ({
      version: '0.0.0-test',
      url,
      port,
      host: '127.0.0.1',
      listens_beyond_loopback: false,
      lan_addresses: [],
      data_file: null,
      data_dir: null,
      ephemeral: true,
      memory_limit: 1_000_000_000,
      started_at: new Date(clock.now).toISOString(),
    }),
    isReady: () => true,
    notices,
    stoppedQueries: createStoppedQueries(),
    restores: { last: null, begin: () => null },
    onRoute: check.onRoute,
    ...(options.onAlert === undefined ? {} : { onAlert: options.onAlert }),
  });
  const ready = await openNewWarehouse(app);
  server.on('request', async (req, res) => {
    await ready?.();
    check.watch(req, res);
    app.handle(req, res);
  });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
    if (options.store === undefined) await store.close();
  };
  const open: TestApp = {
    url,
    port,
    app,
    store,
    clock,
    notices,
    key: TEST_KEY,
    errors,
    get faults() {
      return check.faults;
    },
    ask: (path, request) => ask(port, path, request),
  };
  return { app: open, stop };
}

/** Whether queries are answered by ClickHouse: what is about the file's own statements is left out then. */
export const ASKS_CLICKHOUSE = process.env['BURROW_TEST_WAREHOUSE'] !== undefined;

/** A database of its own on the server of BURROW_TEST_WAREHOUSE (`clickhouse://127.0.0.1:8123/`): suites then ask ClickHouse. */
function newWarehouse(): Pick<Config, 'warehouse'> | null {
  const server = process.env['BURROW_TEST_WAREHOUSE'];
  if (server === undefined) return null;
  const warehouse = readWarehouseAddress(new URL(`test_${newUuid().replaceAll('-', '')}`, server).href);
  if (typeof warehouse === 'string') throw new Error(`BURROW_TEST_WAREHOUSE ${warehouse}.`);
  return { warehouse };
}

/**
 * Waits until that database answers. Returns what each request waits for: on a slow machine the stream may need longer than a
 * query waits for it. Null without one.
 */
async function openNewWarehouse({ features }: App): Promise<(() => Promise<unknown>) | null> {
  const { warehouse } = features;
  if (process.env['BURROW_TEST_WAREHOUSE'] === undefined || warehouse === null) return null;
  while (!warehouse.isComplete) {
    const { state, problem } = await warehouse.status();
    if (state === 'refused' || state === 'away') throw new Error(`BURROW_TEST_WAREHOUSE: ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return () => warehouse.caughtUp(PATIENCE_MS);
}

function defaults(): Config {
  const machine = { platform: 'linux', homeDir: '/', workingDir: '/', totalMemory: 4e9 } as const;
  const env = { BURROW_PROJECT_API_KEY: TEST_TOKEN, BURROW_PERSONAL_API_KEY: TEST_KEY };
  return { ...readConfig(['--ephemeral'], env, machine), fast: FAST };
}

/** node:http rather than fetch, which allows neither a foreign Host nor an Origin. */
function ask(
  port: number,
  path: string,
  { method = 'GET', key = TEST_KEY, body, headers = {} }: TestRequest = {},
) {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const payload = body === undefined ? undefined : isRaw ? (body as string | Buffer) : JSON.stringify(body);
  return new Promise<TestResponse>((resolve, reject) => {
    const req = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(payload === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => pieces.push(piece));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          resolve({
            status: res.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(res.headers).map(([name, value]) => [name, String(value)]),
            ),
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    req.on('error', reject);
    req.end(payload);
  });
}

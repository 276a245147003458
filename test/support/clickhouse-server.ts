import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, type TestContext } from 'vitest';
import { installClickhouse } from './install-clickhouse.mjs';

/** ClickHouse's HTTP interface on a port of this machine. */
export interface ClickhouseServer {
  /** The address of a database, as `--warehouse` takes it. */
  address(database: string): string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and folder. */
  restart(): Promise<void>;
}

/**
 * One server for all tests of a file: the one of CLICKHOUSE_URL (`clickhouse://user@host:8123/`), which cannot be ended, or one over
 * npm `chdb`. A test that can have neither is skipped, which fails where nothing may be skipped.
 */
export function shareClickhouseServer(): (context: TestContext) => Promise<ClickhouseServer> {
  let starting: Promise<(ClickhouseServer & { stop: () => void }) | null> | null = null;
  afterAll(async () => {
    (await starting)?.stop();
  });
  return async ({ skip }) => {
    const started = await (starting ??= start());
    if (started === null) return skip('ClickHouse (npm chdb) cannot be installed on this machine.');
    return started;
  };
}

async function start(): Promise<(ClickhouseServer & { stop: () => void }) | null> {
  const given = process.env['CLICKHOUSE_URL'];
  const nothing = async (): Promise<void> => undefined;
  if (given !== undefined)
    return {
      address: (database) => new URL(database, given).href,
      kill: nothing,
      restart: nothing,
      stop: () => undefined,
    };
  const module = inject('clickhouse');
  return module === null ? null : await startClickhouse(module);
}

/** One over the module `chdb`, in a folder of its own that goes with it. */
export async function startClickhouse(module: string): Promise<ClickhouseServer & { stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-clickhouse-'));
  let running = await run(module, folder, 0);
  const { port } = running;
  return {
    address: (database) => `clickhouse://127.0.0.1:${port}/${database}`,
    kill: () => running.kill(),
    async restart() {
      running = await run(module, folder, port);
    },
    stop() {
      void running.kill().then(() => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

async function run(
  module: string,
  folder: string,
  port: number,
): Promise<{ port: number; kill(): Promise<void> }> {
  const script = new URL('clickhouse-server.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, module, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
    child.once('exit', (code) => reject(new Error(`ClickHouse ended (code ${code}).`)));
  });
  return {
    port: Number(printed),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * `BURROW_TEST_WAREHOUSE=chdb`: starts ClickHouse (npm `chdb`) before the workers, which find its address there instead.
 * Returns how to end it.
 */
export async function setup(): Promise<(() => void) | undefined> {
  if (process.env['BURROW_TEST_WAREHOUSE'] !== 'chdb') return undefined;
  const module = await installClickhouse();
  if (module === null) throw new Error('ClickHouse (npm chdb) cannot be installed on this machine.');
  const server = await startClickhouse(module);
  process.env['BURROW_TEST_WAREHOUSE'] = server.address('');
  return () => server.stop();
}

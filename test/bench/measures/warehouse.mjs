// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installClickhouse } from '../../support/install-clickhouse.mjs';
import { runLoad } from '../load.mjs';
import { readCpuSeconds } from '../proc.mjs';
import { prepare } from '../queries/ask-burrow.mjs';
import { QUESTIONS } from '../queries/questions.mjs';
import { PROJECT_API_KEY, start, startOn } from '../servers.mjs';
import { median } from '../statistics.mjs';

const CLICKHOUSE = fileURLToPath(new URL('../../support/clickhouse-server.mjs', import.meta.url));
const DAYS = 90;
/** Of the steady load: events of a request, and milliseconds between two. */
const STEADY_EVENTS = 500;
const STEADY_MS = 100;
const STEADY_SECONDS = 20;
const LOOK_MS = 100;
const ONE_BY_ONE = 3;

/** @typedef {import('../servers.mjs').Server} Server */
/** @typedef {{ perSecond: number, cpuPerEvent: number }} Cost */

/**
 * Beside ClickHouse, which shares the machine: what streaming costs capture, in processor time of the server and in events a
 * second, in turn with a server without it; how far ClickHouse is behind at 5,000 events a second; how long it takes to copy a
 * file of `events`; and the six queries over that file, answered by the file and by ClickHouse, in ms of whole requests.
 * @param {{ load: import('./seeded.mjs').SeededLoad, batch: number, events: number, runs: number }} options
 */
export async function measureWarehouse({ load, batch, events, runs }) {
  /** @type {Cost[]} */
  const plain = [];
  /** @type {Cost[]} */
  const streaming = [];
  for (let run = 0; run < ONE_BY_ONE; run++) {
    plain.push(await cost(null, load, batch));
    streaming.push(await withClickhouse((beside) => cost(beside, load, batch)));
  }
  const of = (/** @type {Cost[]} */ all, /** @type {keyof Cost} */ what) =>
    median(all.map((one) => one[what]));
  return {
    streamedPerSecond: of(streaming, 'perSecond'),
    streamedShare: of(streaming, 'perSecond') / of(plain, 'perSecond'),
    streamedCpu: of(streaming, 'cpuPerEvent') / of(plain, 'cpuPerEvent'),
    ...(await withClickhouse(measureLag)),
    copiedEvents: events,
    ...(await withClickhouse((beside) => measureCopy(beside, events, runs))),
  };
}

/** @template T @param {(address: string) => Promise<T>} work */
async function withClickhouse(work) {
  const module = await installClickhouse();
  if (module === null) throw new Error('ClickHouse (npm chdb) cannot be installed on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-clickhouse-'));
  const child = spawn(process.execPath, [CLICKHOUSE, module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  try {
    const [port] = await once(child.stdout, 'data');
    return await work(`clickhouse://127.0.0.1:${Number(port)}/bench`);
  } finally {
    killWithUs();
    process.off('exit', killWithUs);
    await rm(folder, { recursive: true, force: true });
  }
}

/** @template T @param {string | null} beside @param {() => Promise<T>} work */
async function besideIt(beside, work) {
  if (beside !== null) process.env['BURROW_WAREHOUSE'] = beside;
  try {
    return await work();
  } finally {
    delete process.env['BURROW_WAREHOUSE'];
  }
}

/** @param {Server} server @returns {Promise<Record<string, any>>} */
async function statusOf(server) {
  const headers = { Authorization: `Bearer ${server.ready['personalApiKey']}` };
  const answer = await fetch(`${server.url}/api/burrow/warehouse/`, { headers });
  return /** @type {any} */ (await answer.json()).warehouse;
}

/** @param {Server} server */
async function untilStreamed(server) {
  for (;;) {
    const { state, answers, waiting_events: waiting } = await statusOf(server);
    if (state === 'refused') throw new Error('The warehouse was refused.');
    if (answers && waiting === 0) return;
    await sleep(LOOK_MS);
  }
}

/** @param {string | null} beside @param {import('./seeded.mjs').SeededLoad} load @param {number} batch */
async function cost(beside, load, batch) {
  const server = await besideIt(beside, () => start('burrow'));
  try {
    if (beside !== null) await untilStreamed(server);
    const before = readCpuSeconds(server.pid);
    const { requestsPerSecond, answered } = await runLoad({ ...load, url: server.url });
    // What was stored is not yet sent.
    if (beside !== null) await untilStreamed(server);
    const cpuPerEvent = (readCpuSeconds(server.pid) - before) / (answered * batch);
    return { perSecond: requestsPerSecond * batch, cpuPerEvent };
  } finally {
    await server.stop();
  }
}

/** Seconds since the oldest event that is not in ClickHouse, at 5,000 events a second. @param {string} beside */
async function measureLag(beside) {
  const server = await besideIt(beside, () => start('burrow'));
  try {
    await untilStreamed(server);
    const end = performance.now() + STEADY_SECONDS * 1000;
    /** @type {number[]} */
    const seconds = [];
    for (let n = 0; performance.now() < end; n++) {
      const next = performance.now() + STEADY_MS;
      const batch = Array.from({ length: STEADY_EVENTS }, (_, at) => ({
        event: '$pageview',
        distinct_id: `p-${(n * STEADY_EVENTS + at) % 10_000}`,
        properties: { $current_url: `https://shop.test/${at}`, plan: 'pro', n },
      }));
      const answer = await fetch(`${server.url}/batch/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ api_key: PROJECT_API_KEY, batch }),
      });
      if (!answer.ok) throw new Error(`/batch/ answered ${answer.status}`);
      const { waiting_since: since } = await statusOf(server);
      seconds.push(since === null ? 0 : (Date.now() - Date.parse(since)) / 1000);
      await sleep(Math.max(0, next - performance.now()));
    }
    const sorted = seconds.toSorted((a, b) => a - b);
    return { lagP50: median(seconds), lagMax: sorted.at(-1) ?? NaN };
  } finally {
    await server.stop();
  }
}

/** @param {string} beside @param {number} events @param {number} runs */
async function measureCopy(beside, events, runs) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-warehouse-'));
  try {
    await prepare({ folder, events, end: Date.now(), days: DAYS });
    const alone = await startOn(folder);
    const byFile = await timeQuestions(alone, runs).finally(alone.stop);
    const begun = performance.now();
    const server = await besideIt(beside, () => startOn(folder));
    try {
      await untilStreamed(server);
      const copySeconds = (performance.now() - begun) / 1000;
      const byClickhouse = await timeQuestions(server, runs);
      const { bytes } = await statusOf(server);
      const questions = QUESTIONS.map(({ name }, at) => ({
        name,
        file: byFile[at] ?? NaN,
        clickhouse: byClickhouse[at] ?? NaN,
      }));
      return { copySeconds, clickhouseBytes: Number(bytes), warehouseQuestions: questions };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The median of each query, in ms; the first answer of each is left out. @param {Server} server @param {number} runs */
async function timeQuestions(server, runs) {
  const medians = [];
  for (const { query } of QUESTIONS) {
    const taken = [];
    for (let run = 0; run <= runs; run++) {
      const begun = performance.now();
      const answer = await fetch(`${server.url}/api/projects/1/query/`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${server.ready['personalApiKey']}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ query, refresh: 'force_blocking' }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`A query answered ${answer.status}: ${text.slice(0, 300)}`);
      if (run > 0) taken.push(performance.now() - begun);
    }
    medians.push(median(taken));
  }
  return medians;
}

// @ts-check
import { readIngestion } from './burrow-api.mjs';
import { runLoad } from './load.mjs';
import { startProber } from './prober.mjs';
import { readCpuSeconds, readMemory } from './proc.mjs';
import { start } from './servers.mjs';

const PROBE_EVERY_MS = 50;

/** What is run in each round of a case, in this order, so that a busy moment of the machine meets all of them. */
export const CONTESTANTS = /** @type {const} */ ([
  { name: 'burrow', server: 'burrow', uuids: 'v7' },
  { name: 'burrow-no-uuids', server: 'burrow', uuids: 'none' },
  { name: 'durable', server: 'durable', uuids: 'v7' },
  { name: 'ndjson', server: 'ndjson', uuids: 'v7' },
  { name: 'parse', server: 'parse', uuids: 'v7' },
  { name: 'express', server: 'express', uuids: 'v7' },
]);

/** @typedef {(typeof CONTESTANTS)[number]['name']} Contestant */

/**
 * @typedef {object} Run One load of one server on a new folder.
 * @property {Contestant} contestant
 * @property {import('./client.mjs').LoadResult} load
 * @property {number} cpuSeconds Processor time of the server for all that it answered, warm-up included.
 * @property {number} peakMb
 * @property {import('./prober.mjs').Probes} [liveness] GET /_liveness beside the load.
 * @property {{ p50: number, p99: number, max: number } | undefined} [loopDelayMs] As the server itself measures it.
 */

/**
 * Runs all contestants once, or Burrow `alone`.
 * @param {import('./cases.mjs').Case} shape
 * @param {{ pools: ReturnType<typeof import('./pools.mjs').createPools>, warmupSeconds: number, seconds: number, alone?: boolean }} options
 * @returns {Promise<Run[]>}
 */
export async function runRound(shape, { pools, warmupSeconds, seconds, alone = false }) {
  /** @type {Run[]} */
  const runs = [];
  for (const { name, server, uuids } of alone ? CONTESTANTS.slice(0, 1) : CONTESTANTS) {
    const pool = await pools.get(shape, uuids);
    const { path, headers, connections } = shape;
    const renewUuids = uuids === 'v7' && !shape.gzip;
    const load = { path, headers, connections, pool, renewUuids, warmupSeconds, seconds };
    runs.push(await runOnce(name, server, load));
  }
  return runs;
}

/**
 * @param {Contestant} contestant
 * @param {import('./servers.mjs').ServerName} serverName
 * @param {Omit<import('./client.mjs').Load, 'url'>} load
 * @returns {Promise<Run>}
 */
async function runOnce(contestant, serverName, load) {
  const server = await start(serverName);
  const measureLoad = async () => {
    const before = readCpuSeconds(server.pid);
    const result = await runLoad({ ...load, url: server.url });
    const cpuSeconds = readCpuSeconds(server.pid) - before;
    return { contestant, load: result, cpuSeconds, peakMb: readMemory(server.pid).peakMb };
  };
  try {
    if (serverName !== 'burrow') return await measureLoad();
    // The server reports the delays since the last report: those of the start are discarded.
    await readIngestion(server);
    const prober = startProber({ url: `${server.url}/_liveness`, everyMs: PROBE_EVERY_MS });
    const run = await measureLoad();
    const liveness = await prober.stop();
    const { loop_delay_ms: loopDelayMs } = await readIngestion(server);
    return { ...run, liveness, loopDelayMs };
  } finally {
    await server.stop();
  }
}

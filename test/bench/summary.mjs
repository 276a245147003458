// @ts-check
import { median } from './statistics.mjs';

/** @typedef {import('./throughput.mjs').Contestant} Contestant */

/**
 * @typedef {object} CaseSummary Medians over the rounds.
 * @property {import('./cases.mjs').Case} shape
 * @property {Record<Contestant, { eventsPerSecond: number, p50: number, p99: number, cpuMicroseconds: number, peakMb: number }>} contestants Events per second; latencies in ms; processor time of one event.
 * @property {Record<'durable' | 'ndjson' | 'parse' | 'express', number>} shares Of Burrow with uuids: median of each round's share.
 * @property {number} shareWithoutUuids Of the durable floor, when the server makes the uuids.
 * @property {{ p50: number, p99: number, max: number } | null} loopDelayMs As Burrow measures it; null when it does not.
 * @property {{ p50: number, p99: number }} livenessMs Of a probe every 50 ms beside the load.
 * @property {string[]} remarks What a reader must know: refusals, repeated bodies.
 */

/**
 * @param {import('./cases.mjs').Case} shape
 * @param {import('./throughput.mjs').Run[][]} rounds
 * @returns {CaseSummary}
 */
export function summarizeCase(shape, rounds) {
  const runsOf = (/** @type {Contestant} */ name) => rounds.map((runs) => runOf(runs, name));
  const over = (
    /** @type {Contestant} */ name,
    /** @type {(run: import('./throughput.mjs').Run) => number} */ value,
  ) => median(runsOf(name).map(value));
  const contestant = (/** @type {Contestant} */ name) => ({
    eventsPerSecond: over(name, ({ load }) => load.requestsPerSecond * shape.batch),
    p50: over(name, ({ load }) => load.p50),
    p99: over(name, ({ load }) => load.p99),
    cpuMicroseconds: over(name, ({ load, cpuSeconds }) => (cpuSeconds * 1e6) / (load.answered * shape.batch)),
    peakMb: over(name, ({ peakMb }) => peakMb),
  });
  const share = (/** @type {Contestant} */ of, /** @type {Contestant} */ mine = 'burrow') =>
    median(rounds.map((runs) => rate(runs, mine) / rate(runs, of)));
  return {
    shape,
    contestants: {
      burrow: contestant('burrow'),
      'burrow-no-uuids': contestant('burrow-no-uuids'),
      durable: contestant('durable'),
      ndjson: contestant('ndjson'),
      parse: contestant('parse'),
      express: contestant('express'),
    },
    shares: {
      durable: share('durable'),
      ndjson: share('ndjson'),
      parse: share('parse'),
      express: share('express'),
    },
    shareWithoutUuids: share('durable', 'burrow-no-uuids'),
    loopDelayMs: loopDelay(runsOf('burrow')),
    livenessMs: {
      p50: over('burrow', ({ liveness }) => liveness?.p50 ?? NaN),
      p99: over('burrow', ({ liveness }) => liveness?.p99 ?? NaN),
    },
    remarks: remarksOn(rounds.flat().filter(({ contestant }) => contestant.startsWith('burrow'))),
  };
}

/** @param {import('./throughput.mjs').Run[]} runs @param {Contestant} name */
function runOf(runs, name) {
  const run = runs.find(({ contestant }) => contestant === name);
  if (run === undefined) throw new Error(`${name} was not run.`);
  return run;
}

/** @param {import('./throughput.mjs').Run[]} runs @param {Contestant} name */
function rate(runs, name) {
  return runOf(runs, name).load.requestsPerSecond;
}

/** @param {import('./throughput.mjs').Run[]} runs */
function loopDelay(runs) {
  const delays = runs.flatMap(({ loopDelayMs }) => (loopDelayMs === undefined ? [] : [loopDelayMs]));
  if (delays.length === 0) return null;
  return {
    p50: median(delays.map(({ p50 }) => p50)),
    p99: median(delays.map(({ p99 }) => p99)),
    max: median(delays.map(({ max }) => max)),
  };
}

/** @param {import('./throughput.mjs').Run[]} runs */
function remarksOn(runs) {
  /** @type {Record<string, number>} */
  const refused = {};
  for (const { load } of runs) {
    for (const [status, count] of Object.entries(load.refused))
      refused[status] = (refused[status] ?? 0) + count;
  }
  const answered = runs.reduce((sum, { load }) => sum + load.answered, 0);
  const repeated = runs
    .filter(({ contestant }) => contestant === 'burrow')
    .reduce((sum, { load }) => sum + load.repeated, 0);
  return [
    ...Object.entries(refused).map(([status, count]) => `${count} of ${answered + count} answered ${status}`),
    ...(repeated > 0 ? [`${repeated} bodies sent twice`] : []),
  ];
}

/**
 * The median of each number over the repetitions of a measure; nested numbers too.
 * @template {object} T
 * @param {T[]} results
 * @returns {T}
 */
export function medians(results) {
  const entries = Object.entries(results[0] ?? {}).map(([key, value]) => {
    const all = results.map((result) => /** @type {any} */ (result)[key]);
    return [key, typeof value === 'number' ? median(all) : medians(all)];
  });
  return /** @type {T} */ (Object.fromEntries(entries));
}

// @ts-check
/** `npm run bench`: see `options.mjs` for its options and README.md for what it measures. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareBuilds, otherBuild } from './against.mjs';
import { compareWithBars } from './bars.mjs';
import { CASES } from './cases.mjs';
import { measureBusy } from './measures/busy.mjs';
import { measureConsole } from './measures/console.mjs';
import { measureDashboards } from './measures/dashboards.mjs';
import { measureDecide } from './measures/decide.mjs';
import { measureDefinitions } from './measures/definitions.mjs';
import { measureDesktop } from './measures/desktop.mjs';
import { measureFlags } from './measures/flags.mjs';
import { measureGrowth } from './measures/growth.mjs';
import { measureHostile } from './measures/hostile.mjs';
import { measureImports } from './measures/imports.mjs';
import { measureIdle } from './measures/idle.mjs';
import { measureMemory } from './measures/memory.mjs';
import { measurePageViews } from './measures/page-views.mjs';
import { measurePersons } from './measures/persons.mjs';
import { measureQueries } from './measures/queries.mjs';
import { measureQueryable } from './measures/queryable.mjs';
import { measureStartUp } from './measures/start-up.mjs';
import { measureStoredEvents } from './measures/stored-events.mjs';
import { measureWarehouse } from './measures/warehouse.mjs';
import { HELP, parseOptions } from './options.mjs';
import { createPools } from './pools.mjs';
import { describeMachine, replaceFigures, toDetails, toMarkdown } from './report.mjs';
import { medians, summarizeCase } from './summary.mjs';
import { runRound } from './throughput.mjs';

const PAGE = new URL('../../docs/performance.md', import.meta.url);
/** The load before memory is read: long enough for caches, queues and the write-ahead log to reach their size. */
const MEMORY_LOAD_SECONDS = 15;
const STORED_EVENTS = 10_000_000;
const STORED_EVENTS_FULL = 50_000_000;
const ASKED_EVENTS = 1_000_000;
const ASKED_EVENTS_FULL = 10_000_000;
const GROWING_EVENTS = [1_000_000, 5_000_000, 10_000_000];
const GROWING_EVENTS_FULL = 50_000_000;

/** @param {string} text */
function progress(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * @param {import('./options.mjs').Options} options
 * @param {ReturnType<typeof createPools>} pools
 * @returns {Promise<import('./bars.mjs').Measured>}
 */
async function measure(options, pools) {
  const cases = [];
  for (const shape of CASES.filter(({ name }) => options.only.has(name))) {
    const rounds = await repeat(options.runs, shape.name, () => runRound(shape, { pools, ...options }));
    cases.push(summarizeCase(shape, rounds));
  }
  return { cases, ...(await measureOthers(options, pools)) };
}

/**
 * Burrow alone, once: what `--against` compares.
 * @param {import('./options.mjs').Options} options
 * @param {ReturnType<typeof createPools>} pools
 */
async function measureOnce(options, pools) {
  /** @type {Record<string, object | undefined>} */
  const figures = {};
  for (const shape of CASES.filter(({ name }) => options.only.has(name))) {
    const [run] = await runRound(shape, { pools, ...options, alone: true });
    if (run === undefined) throw new Error(`Nothing was run of ${shape.name}.`);
    const { load, cpuSeconds, peakMb } = run;
    const events = load.answered * shape.batch;
    const eventsPerSecond = load.requestsPerSecond * shape.batch;
    figures[shape.name] = { eventsPerSecond, p50: load.p50, cpuPerEvent: cpuSeconds / events, peakMb };
  }
  return { ...figures, ...(await measureOthers({ ...options, runs: 1 }, pools)) };
}

/**
 * @param {import('./options.mjs').Options} options
 * @param {ReturnType<typeof createPools>} pools
 */
async function measureOthers(options, pools) {
  /** @template {object} T @param {string} name @param {() => Promise<T>} once @returns {Promise<T | undefined>} */
  const optional = async (name, once) =>
    options.only.has(name) ? medians(await repeat(options.runs, name, once)) : undefined;
  return {
    queryable: await optional('queryable', measureQueryable),
    memory: await optional('memory', async () => {
      const { load } = await batchLoad(pools, { warmupSeconds: 1, seconds: MEMORY_LOAD_SECONDS });
      return measureMemory({ load });
    }),
    busy: await optional('busy', measureBusy),
    hostile: options.only.has('hostile') ? (await repeat(1, 'hostile', measureHostile))[0] : undefined,
    persons: await optional('persons', async () => {
      const { load, batch } = await batchLoad(pools, options, true);
      return measurePersons({ load, batch });
    }),
    pageViews: await optional('page-views', async () =>
      measurePageViews((await batchLoad(pools, options)).load),
    ),
    definitions: await optional('definitions', async () =>
      measureDefinitions(await batchLoad(pools, options)),
    ),
    storedEvents: await optional('stored-events', async () => {
      const { load, batch } = await batchLoad(pools, options);
      const events = options.full ? STORED_EVENTS_FULL : STORED_EVENTS;
      return measureStoredEvents({ load, batch, events });
    }),
    imports: await optional('imports', measureImports),
    dashboards: await optional('dashboards', measureDashboards),
    flags: await optional('flags', () => measureFlags(options)),
    decide: await optional('decide', () => measureDecide(options)),
    queries: options.only.has('queries')
      ? (
          await repeat(1, 'queries', () => measureQueries({ events: eventsOf(options), runs: options.runs }))
        )[0]
      : undefined,
    growth: options.only.has('growth')
      ? (await repeat(1, 'growth', () => measureGrowth({ sizes: sizesOf(options), runs: options.runs })))[0]
      : undefined,
    console: options.only.has('console')
      ? (
          await repeat(1, 'console', () => measureConsole({ events: eventsOf(options), runs: options.runs }))
        )[0]
      : undefined,
    warehouse: options.only.has('warehouse')
      ? (
          await repeat(1, 'warehouse', async () => {
            const { load, batch } = await batchLoad(pools, options);
            return await measureWarehouse({ load, batch, events: eventsOf(options), runs: options.runs });
          })
        )[0]
      : undefined,
    startUp: await optional('start-up', measureStartUp),
    idle: await optional('idle', () => measureIdle({ seconds: options.idleSeconds })),
    desktop: await optional('desktop', () => measureDesktop({ seconds: options.idleSeconds })),
  };
}

/** @param {import('./options.mjs').Options} options */
function eventsOf({ events, full }) {
  return events ?? (full ? ASKED_EVENTS_FULL : ASKED_EVENTS);
}

/** @param {import('./options.mjs').Options} options */
function sizesOf({ full }) {
  return full ? [...GROWING_EVENTS, GROWING_EVENTS_FULL] : GROWING_EVENTS;
}

/**
 * @template T
 * @param {number} times
 * @param {string} name
 * @param {() => Promise<T>} once
 */
async function repeat(times, name, once) {
  const results = [];
  for (let n = 1; n <= times; n += 1) {
    progress(`${name} ${n}/${times}`);
    results.push(await once());
  }
  return results;
}

/**
 * The load of plain batches of 100 over 50 connections.
 * @param {ReturnType<typeof createPools>} pools
 * @param {{ warmupSeconds: number, seconds: number }} times
 * @param {boolean} [wideIds] See `createGenerator`.
 */
async function batchLoad(pools, { warmupSeconds, seconds }, wideIds = false) {
  const shape = CASES.find(({ name }) => name === 'batch-100-50');
  if (shape === undefined) throw new Error('The case batch-100-50 is gone.');
  const { path, headers, connections, batch } = shape;
  const pool = await pools.get(shape, 'v7', wideIds);
  return { load: { path, headers, connections, pool, renewUuids: true, warmupSeconds, seconds }, batch };
}

/** @param {import('./options.mjs').Options} options */
async function main(options) {
  const now = Date.now();
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-pools-'));
  try {
    const pools = createPools({ folder, runSeconds: options.warmupSeconds + options.seconds, now });
    if (options.against !== undefined) {
      const other = await otherBuild(options.against, folder);
      const once = () => measureOnce(options, pools);
      process.stdout.write(`${await compareBuilds(other, { pairs: options.pairs, once, progress })}\n`);
      return;
    }
    const measured = await measure(options, pools);
    const date = new Date(now).toISOString().slice(0, 10);
    const about = { date, machine: describeMachine(), runs: options.runs, seconds: options.seconds };
    const bars = compareWithBars(measured);
    const markdown = toMarkdown(measured, about);
    process.stdout.write(`${markdown}\n\n${toDetails(measured, options.bars ? bars : [])}\n`);
    if (options.json)
      await writeFile(options.json, `${JSON.stringify({ ...about, ...measured, bars }, null, 2)}\n`);
    if (options.write) await writeFile(PAGE, replaceFigures(await readFile(PAGE, 'utf8'), markdown));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else await main(options);
} catch (error) {
  progress(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

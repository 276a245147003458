// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askOn, prepare, untilHot } from '../queries/ask-burrow.mjs';
import { startEngine } from '../queries/child.mjs';
import { QUESTIONS } from '../queries/questions.mjs';
import { turnsOf } from '../queries/turns.mjs';
import { median } from '../statistics.mjs';

const DUCKDB = new URL('../queries/duckdb.mjs', import.meta.url);
/** As many each day, however many there are: ten million lie in 90 days. */
const EVENTS_A_DAY = 10_000_000 / 90;
/** A whole day, which every size has. */
const ONE_DAY = {
  kind: 'TrendsQuery',
  interval: 'hour',
  dateRange: { date_from: '-1dStart', date_to: '-1dEnd' },
  series: [{ kind: 'EventsNode', event: '$pageview' }],
};

const ASKED = [...QUESTIONS.map(({ query }) => overAll(query)), ONE_DAY];

/** @typedef {{ file: string, groups: object[][], remove: () => Promise<void> }} Size */

/**
 * The six queries over all events of files of several sizes, which differ in their date range, and one about a single day; in
 * ms in the engine, as Burrow prints them. Each size is measured in turn with the previous one (`smallerMs`): a machine may
 * have another speed half an hour later.
 * @param {{ sizes: readonly number[], runs: number }} options
 */
export async function measureGrowth({ sizes, runs }) {
  const growth = [];
  /** @type {Size | null} */
  let last = null;
  try {
    for (const events of sizes) {
      const smaller = last;
      last = await prepareSize(events);
      try {
        growth.push({ events, ...(await timeBeside(last, smaller, runs)) });
      } finally {
        await smaller?.remove();
      }
    }
  } finally {
    await last?.remove();
  }
  return { growth };
}

/** @param {number} events @returns {Promise<Size>} */
async function prepareSize(events) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-growth-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await prepare({ folder, events, end: Date.now(), days: events / EVENTS_A_DAY });
    const groups = await askOn(folder, async (_, ask) => {
      await untilHot(ask, events);
      const found = [];
      for (const query of ASKED) found.push((await ask(query)).statements);
      return found;
    });
    return { file: join(folder, 'burrow.duckdb'), groups, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @param {Size} size @param {Size | null} smaller @param {number} runs */
async function timeBeside(size, smaller, runs) {
  const sizes = smaller === null ? [size] : [size, smaller];
  const engines = [];
  try {
    for (const { file, groups } of sizes) engines.push(await startEngine(DUCKDB, { file, groups }));
    const questions = [];
    for (const [at, { name }] of QUESTIONS.entries()) {
      questions.push({ name, ...(await timeInTurn(engines, at, runs)) });
    }
    return { questions, oneDay: await timeInTurn(engines, QUESTIONS.length, runs) };
  } finally {
    for (const engine of engines) await engine.stop();
  }
}

/** The medians of a question in the engine of a size, and in that of the smaller one. @param {import('../queries/child.mjs').Engine[]} engines @param {number} at @param {number} runs */
async function timeInTurn(engines, at, runs) {
  /** @type {number[][]} */
  const taken = engines.map(() => []);
  for (const n of turnsOf(runs)) {
    const order = [...engines.entries()];
    for (const [which, engine] of n % 2 === 0 ? order : order.toReversed()) {
      const { ms } = await engine.ask(at);
      // The first one warms up.
      if (n > 0) taken[which]?.push(ms);
    }
  }
  const [ms = NaN, smallerMs = NaN] = taken.map(median);
  return { ms, smallerMs };
}

/** A question about all days that there are. @param {any} query */
function overAll(query) {
  return { ...query, dateRange: { date_from: 'all' } };
}

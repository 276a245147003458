// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askOn, prepare, untilHot } from '../queries/ask-burrow.mjs';
import { startEngine } from '../queries/child.mjs';
import { QUESTIONS } from '../queries/questions.mjs';
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

/**
 * The six questions over all events of files of several sizes, which differ in how far they reach back, and one about a single day;
 * in ms in the engine, as Burrow prints them.
 * @param {{ sizes: readonly number[], runs: number }} options
 */
export async function measureGrowth({ sizes, runs }) {
  const growth = [];
  for (const events of sizes) growth.push(await measureSize(events, runs));
  return { growth };
}

/** @param {number} events @param {number} runs */
async function measureSize(events, runs) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-growth-'));
  try {
    await prepare({ folder, events, end: Date.now(), days: events / EVENTS_A_DAY });
    const asked = [...QUESTIONS.map(({ query }) => overAll(query)), ONE_DAY];
    const groups = await askOn(folder, async (_, ask) => {
      await untilHot(ask, events);
      const found = [];
      for (const query of asked) found.push((await ask(query)).statements);
      return found;
    });
    const engine = await startEngine(DUCKDB, { file: join(folder, 'burrow.duckdb'), groups });
    try {
      /** @type {number[]} */
      const ms = [];
      for (const at of asked.keys()) ms.push(await timed(engine, at, runs));
      return {
        events,
        questions: QUESTIONS.map(({ name }, at) => ({ name, ms: ms[at] ?? NaN })),
        oneDayMs: ms.at(-1) ?? NaN,
      };
    } finally {
      await engine.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A question about all days that there are. @param {any} query */
function overAll(query) {
  return { ...query, dateRange: { date_from: 'all' } };
}

/** @param {import('../queries/child.mjs').Engine} engine @param {number} at @param {number} runs */
async function timed(engine, at, runs) {
  const taken = [];
  for (let n = 0; n <= runs; n += 1) {
    const { ms } = await engine.ask(at);
    if (n > 0) taken.push(ms);
  }
  return median(taken);
}

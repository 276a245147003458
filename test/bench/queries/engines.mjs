// @ts-check
import { join } from 'node:path';
import { median } from '../statistics.mjs';
import { startEngine } from './child.mjs';
import { installClickhouse } from '../../support/install-clickhouse.mjs';
import { startPostgres } from './postgres.mjs';
import { QUESTIONS } from './questions.mjs';
import { demandSameResults } from './same-results.mjs';
import { turnsOf } from './turns.mjs';

const DUCKDB = new URL('./duckdb.mjs', import.meta.url);
const CLICKHOUSE = new URL('./clickhouse.mjs', import.meta.url);

/** @typedef {import('./child.mjs').Engine} Engine */
/** @typedef {import('./same-results.mjs').EngineName} EngineName */
/** @typedef {Partial<Record<EngineName, Engine>>} Engines */

/**
 * Starts everything that answers the questions over the data of a folder. Those that this machine does not have are left out.
 * @param {{ folder: string, end: number, groups: object[][] }} options `groups` are the statements that Burrow prints.
 * @returns {Promise<Engines>}
 */
export async function startEngines({ folder, end, groups }) {
  const parquet = join(folder, 'events.parquet');
  /** @type {Engines} */
  const engines = {};
  try {
    engines.printed = await startEngine(DUCKDB, { file: join(folder, 'burrow.duckdb'), groups });
    const byHand = statements('duckdb', end, (at) => `'${at}'`).map((sql) => [{ sql, params: {} }]);
    engines.hand = await startEngine(DUCKDB, { file: join(folder, 'typed.duckdb'), groups: byHand });
    const module = await installClickhouse();
    if (module !== null)
      engines.clickhouse = await startEngine(CLICKHOUSE, {
        module,
        folder: join(folder, 'clickhouse'),
        parquet,
        statements: statements('clickhouse', end, (at) => `toDateTime64('${at}', 6, 'UTC')`),
      });
    const postgres = await startPostgres({
      parquet,
      statements: statements('postgres', end, (at) => `'${at}'`),
    });
    if (postgres !== null) engines.postgres = postgres;
    return engines;
  } catch (error) {
    await stopAll(engines);
    throw error;
  }
}

/**
 * The median milliseconds of each question in each engine, null in those that are not there, of at least so many `runs`. Engines take
 * turns, in an order that changes, so that what else the machine does concerns all of them alike. Throws when two of them do not
 * say the same. Stops them in the end.
 * @param {Engines} engines
 * @param {number} runs
 */
export async function timeEngines(engines, runs) {
  try {
    const questions = [];
    for (const [at, question] of QUESTIONS.entries()) {
      const medians = await timeQuestion(engines, at, runs);
      questions.push({
        name: question.name,
        printedMs: medians.printed ?? NaN,
        handMs: medians.hand ?? NaN,
        clickhouseMs: medians.clickhouse ?? null,
        postgresMs: medians.postgres ?? null,
      });
    }
    return questions;
  } finally {
    await stopAll(engines);
  }
}

/** @param {Engines} engines @param {number} at @param {number} runs @returns {Promise<Partial<Record<EngineName, number>>>} */
async function timeQuestion(engines, at, runs) {
  const named = /** @type {[EngineName, Engine][]} */ (Object.entries(engines));
  const question = QUESTIONS[at];
  if (question === undefined) throw new Error(`There is no question ${at}.`);
  /** @type {[EngineName, any[][]][]} */
  const answers = [];
  /** @type {Map<EngineName, number[]>} */
  const taken = new Map(named.map(([name]) => [name, []]));
  for (const n of turnsOf(runs)) {
    // An engine finds the processor caches of the previous one: each is the first in turn.
    const first = n % named.length;
    for (const [name, engine] of [...named.slice(first), ...named.slice(0, first)]) {
      const { ms, rows } = await engine.ask(at);
      // The first one warms up.
      if (n === 0) answers.push([name, rows]);
      else taken.get(name)?.push(ms);
    }
  }
  demandSameResults(question, answers);
  return Object.fromEntries([...taken].map(([name, all]) => [name, median(all)]));
}

/** @param {Engines} engines */
async function stopAll(engines) {
  for (const engine of Object.values(engines)) await engine.stop();
}

/** @param {'duckdb' | 'clickhouse' | 'postgres'} dialect @param {number} end @param {(at: string) => string} write */
function statements(dialect, end, write) {
  const at = new Date(end).toISOString().slice(0, 19).replace('T', ' ');
  return QUESTIONS.map((question) => question[dialect].replaceAll('$to', write(at)));
}

// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMemory } from '../proc.mjs';
import { startProber } from '../prober.mjs';
import { askOn, capture, prepare, untilHot } from '../queries/ask-burrow.mjs';
import { startEngines, timeEngines } from '../queries/engines.mjs';
import { QUESTIONS } from '../queries/questions.mjs';
import { PROJECT_API_KEY, WATCHED_MEMORY_MB } from '../servers.mjs';
import { median } from '../statistics.mjs';

/** Over which the events lie. */
const DAYS = 90;
const OVERHEAD_RUNS = 60;
/** @typedef {import('../queries/ask-burrow.mjs').Ask} Ask */
/** Typical texts; the name makes each one new to the cache. */
const TEXTS = [
  (/** @type {string} */ name) =>
    `SELECT event, count() AS n_${name} FROM events WHERE timestamp > now() - INTERVAL 1 DAY GROUP BY event`,
  (/** @type {string} */ name) =>
    `SELECT properties.plan AS ${name}, uniq(person_id) AS people FROM events
     WHERE event = '$pageview' AND timestamp >= now() - INTERVAL 7 DAY GROUP BY ${name} ORDER BY people DESC LIMIT 10`,
  (/** @type {string} */ name) =>
    `SELECT toStartOfDay(timestamp) AS ${name}, countIf(properties.amount > 900) FROM events
     WHERE timestamp > now() - INTERVAL 7 DAY AND properties.$browser IN ('Chrome', 'Safari') GROUP BY ${name} ORDER BY ${name}`,
];
const PROBING_MS = 8_000;
/** Pairs of events without end. */
const LONG = `SELECT count() FROM events a CROSS JOIN events b
  WHERE a.properties.amount + b.properties.amount = -1`;

/**
 * The six queries over this many generated events, in ms in the engine: the statements that Burrow prints; written by hand over
 * typed columns; in ClickHouse where npm has it for this machine; in PostgreSQL where it is installed. All engines run in turn,
 * with equal results. Also the overhead of a request, the time until the queried properties have columns, and captures beside
 * an endless query.
 * @param {{ events: number, runs: number }} options
 */
export async function measureQueries({ events, runs }) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-queries-'));
  try {
    const end = Date.now();
    await prepare({ folder, events, end, days: DAYS });
    const { hotSeconds, groups } = await askOn(folder, async (_, ask) => ({
      hotSeconds: await untilHot(ask),
      groups: await statementsOf(ask),
    }));
    const questions = await timeEngines(await startEngines({ folder, end, groups }), runs);
    const others = await askOn(folder, async (server, ask) => ({
      ...(await overheads(server, ask)),
      ...(await besideLongQuery(server, ask)),
      queriesPeakMb: readMemory(server.pid).peakMb,
      queriesLimitMb: WATCHED_MEMORY_MB,
    }));
    return { questionEvents: events, questions, hotSeconds, ...others };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {Ask} ask */
async function statementsOf(ask) {
  const groups = [];
  for (const { query } of QUESTIONS) groups.push((await ask(query)).statements);
  return groups;
}

/**
 * The time of requests outside the engine: with a new text; with a repeated one; with that one after the data has changed; and
 * with the six queries.
 * @param {import('../servers.mjs').Server} server
 * @param {Ask} ask
 */
async function overheads(server, ask) {
  /** @type {Record<'fresh' | 'known' | 'changed' | 'questions', number[]>} */
  const taken = { fresh: [], known: [], changed: [], questions: [] };
  const asked = async (/** @type {keyof typeof taken} */ which, /** @type {object} */ query) =>
    void taken[which].push((await ask(query)).overheadMs);
  for (const write of TEXTS) await ask(hogql(write('known')));
  for (let n = 0; n < OVERHEAD_RUNS; n += 1) {
    const write = TEXTS[n % TEXTS.length] ?? String;
    await asked('fresh', hogql(write(`new_${n}`)));
    await asked('known', hogql(write('known')));
    await capture(server, { event: '$pageview', distinct_id: `asked-${n}` });
    await asked('changed', hogql(write('known')));
    await asked('questions', QUESTIONS[n % QUESTIONS.length]?.query ?? {});
  }
  return {
    newTextMs: median(taken.fresh),
    knownTextMs: median(taken.known),
    changedDataMs: median(taken.changed),
    knownQuestionMs: median(taken.questions),
  };
}

/** @param {string} query */
function hogql(query) {
  return { kind: 'HogQLQuery', query };
}

/** How long captures take alone and beside a query without end; p99 in ms. @param {import('../servers.mjs').Server} server @param {Ask} ask */
async function besideLongQuery(server, ask) {
  const alone = await probe(server);
  const leaving = new AbortController();
  const asking = ask({ kind: 'HogQLQuery', query: LONG }, leaving.signal).then(
    () => true,
    () => false,
  );
  await sleep(500);
  const beside = await probe(server);
  leaving.abort();
  if (await asking) throw new Error('The long query ended before the captures did.');
  return {
    captureAloneP99: alone.p99,
    captureBesideP99: beside.p99,
    captureFailed: alone.failed + beside.failed,
  };
}

/** @param {import('../servers.mjs').Server} server */
async function probe(server) {
  let sent = 0;
  const prober = startProber({
    url: `${server.url}/capture/`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    everyMs: 20,
    body: () =>
      JSON.stringify({ api_key: PROJECT_API_KEY, event: `beside-${sent++ % 10}`, distinct_id: 'bench' }),
  });
  await sleep(PROBING_MS);
  return await prober.stop();
}

// @ts-check
/** Queries Burrow over HTTP, and returns the statements of its results. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PROJECT_API_KEY, startOn } from '../servers.mjs';
import { QUESTIONS } from './questions.mjs';

const PREPARE = fileURLToPath(new URL('./prepare.mjs', import.meta.url));
/** Filling two columns takes longer where there are more events. */
const HOT_LIMIT_MS = 180_000;
const HOT_LIMIT_MS_PER_EVENT = 0.1;
const AGENT = new Agent({ keepAlive: true });

/** @typedef {import('../servers.mjs').Server} Server */
/** @typedef {{ sql: string, params: Record<string, any>, ms: number }} Statement */
/** @typedef {(query: object, signal?: AbortSignal) => Promise<{ statements: Statement[], overheadMs: number }>} Ask */

/**
 * Fills a new folder with the data of a server: so many events over so many days, up to the end (Unix ms).
 * @param {{ folder: string, events: number, end: number, days: number }} options
 */
export async function prepare({ folder, events, end, days }) {
  await define(folder);
  const file = join(folder, 'burrow.duckdb');
  await promisify(execFile)(process.execPath, [PREPARE, file, String(events), String(end), String(days)]);
}

/**
 * Starts a server on the folder for as long as `work` takes.
 * @template T
 * @param {string} folder
 * @param {(server: Server, ask: Ask) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function askOn(folder, work) {
  const server = await startOn(folder, 'watched');
  try {
    return await work(server, (query, signal) => askQuery(server, query, signal));
  } finally {
    await server.stop();
  }
}

/** Sends one event with the queried properties, so that their types are defined; and sets the same week start as the other engines. @param {string} folder */
async function define(folder) {
  const server = await startOn(folder);
  try {
    await capture(server, {
      event: 'defined',
      distinct_id: 'first',
      properties: { plan: 'free', amount: 1 },
    });
    const settings = { timezone: 'UTC', week_start_day: 1 };
    await demand(server, '/api/projects/1/', 'PATCH', settings);
  } finally {
    await server.stop();
  }
}

/** @param {Server} server @param {object} event */
export async function capture(server, event) {
  const answer = await fetch(`${server.url}/capture/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: PROJECT_API_KEY, ...event }),
  });
  if (!answer.ok) throw new Error(`/capture/ answered ${answer.status}`);
}

/**
 * By node:http over a kept connection: `fetch` alone takes a millisecond or two for a request, which are not the server's.
 * @param {Server} server @param {string} path @param {string} method @param {object} body @param {AbortSignal} [signal]
 */
async function demand(server, path, method, body, signal) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Bearer ${server.ready['personalApiKey']}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  };
  const asked = request(`${server.url}${path}`, { method, headers, agent: AGENT, ...(signal && { signal }) });
  asked.end(text);
  const [first] = await once(asked, 'response');
  /** @type {import('node:http').IncomingMessage} */
  const response = first;
  const answer = await readText(response);
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Error(`${path} answered ${status}: ${answer.slice(0, 500)}`);
}

/**
 * Runs a query; returns its statements, and the time of the request outside the engine.
 * @param {Server} server
 * @param {object} query
 * @param {AbortSignal} [signal]
 */
async function askQuery(server, query, signal) {
  await server.ask({});
  const started = performance.now();
  await demand(server, '/api/projects/1/query/', 'POST', { query, refresh: 'force_blocking' }, signal);
  const took = performance.now() - started;
  /** @type {{ statements: Statement[] }} */
  const { statements } = await server.ask({});
  return { statements, overheadMs: took - statements.reduce((sum, { ms }) => sum + ms, 0) };
}

/** Queries the two properties until both have columns; returns seconds. @param {Ask} ask @param {number} [events] */
export async function untilHot(ask, events = 0) {
  const limit = HOT_LIMIT_MS + events * HOT_LIMIT_MS_PER_EVENT;
  const started = performance.now();
  const queries = QUESTIONS.map(({ query }) => query).filter((query) =>
    /plan|amount/.test(JSON.stringify(query)),
  );
  for (;;) {
    const asked = [];
    for (const query of queries) asked.push((await ask(query)).statements);
    // Recent rows are always read from JSON; the column name shows that the others are not.
    if (asked.every((statements) => statements.some(({ sql }) => /"p_\d+"/.test(sql))))
      return (performance.now() - started) / 1000;
    if (performance.now() - started > limit)
      throw new Error(`The properties had no columns after ${(limit / 1000).toFixed(0)} s.`);
    await sleep(500);
  }
}

// @ts-check
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { readMemory } from '../proc.mjs';
import { startProber } from '../prober.mjs';
import { PROJECT_API_KEY, start } from '../servers.mjs';

/** How long each loop runs. */
const LOOP_MS = 15_000;
const PROBE_EVERY_MS = 20;
/** Milliseconds after which a client of a hostile query disconnects. */
const ABANDONED_AFTER_MS = 1_000;

/** @typedef {(server: import('../servers.mjs').Server) => Promise<void>} Attack Does its harm once. */

/** Levels of a WITH query, each of which holds the one before twice. */
const LEVELS = 30;
const doubled = Array.from(
  { length: LEVELS },
  (_, n) => `c${n + 1} as (select * from c${n} union all select * from c${n})`,
);
const PATTERN = `${'%a'.repeat(25)}%b`;

const QUERIES = {
  memory: [
    `with c0 as (select 1 as x), ${doubled.join(', ')} select count() from c${LEVELS}`,
    'select count() from (select arrayJoin(range(1000000)) as a) x cross join (select arrayJoin(range(1000000)) as b) y',
    `select length(arrayStringConcat(arrayMap(x -> repeat('x', 10000), range(1000000)), ''))`,
  ],
  like: [
    `select count() from numbers(1000) where repeat('a', 4000) like '${PATTERN}'`,
    `select count() from numbers(1000) where repeat('A', 4000) ilike '${PATTERN}'`,
    `select count() from events where repeat('a', 4000) not like '${PATTERN}'`,
  ],
};

/** Sends a query and disconnects when it takes long. @returns {Promise<void>} */
function abandon(/** @type {import('../servers.mjs').Server} */ { url, ready }, /** @type {string} */ query) {
  const body = JSON.stringify({ query: { kind: 'HogQLQuery', query } });
  const signal = AbortSignal.timeout(ABANDONED_AFTER_MS);
  return new Promise((resolve) => {
    const asked = request(`${url}/api/projects/${ready['projectId']}/query/`, {
      method: 'POST',
      signal,
      headers: { Authorization: `Bearer ${ready['personalApiKey']}`, 'Content-Type': 'application/json' },
    });
    asked.once('response', (response) => void response.resume().once('close', () => resolve()));
    asked.once('error', () => resolve());
    asked.end(body);
  });
}

/** Three compressed requests of four million tiny events. @type {Attack} */
async function sendDense({ url }) {
  await Promise.all([1, 2, 3].map(() => post(`${url}/batch/`, DENSE, { 'Content-Encoding': 'gzip' })));
}

const DENSE = gzipSync(
  `{"api_key":"${PROJECT_API_KEY}","batch":[${'{"event":"a","distinct_id":"b"},'.repeat(4_000_000).slice(0, -1)}]}`,
);

/** Six uploads that announce all of the queue's room and send one byte. @type {Attack} */
async function stallUploads({ url }) {
  const { port, hostname } = new URL(url);
  const sockets = Array.from({ length: 6 }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write('POST /batch/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777216\r\n\r\n{');
  }
  await sleep(1_000);
  for (const socket of sockets) socket.destroy();
}

/** @type {Record<'dense' | 'uploads' | 'memory' | 'like', Attack>} */
const ATTACKS = {
  dense: sendDense,
  uploads: stallUploads,
  memory: async (server) => void (await Promise.all(QUERIES.memory.map((query) => abandon(server, query)))),
  like: async (server) => void (await Promise.all(QUERIES.like.map((query) => abandon(server, query)))),
};

/**
 * While requests that once stopped the server are sent again and again: how long other captures take to be acknowledged,
 * in ms, how many fail, the most memory that the process held, and whether it lives.
 */
export async function measureHostile() {
  const hostile = [];
  for (const [name, attack] of Object.entries(ATTACKS))
    hostile.push({ name, ...(await underAttack(attack)) });
  return { hostile };
}

/** @param {Attack} attack */
async function underAttack(attack) {
  const server = await start('hostile');
  try {
    let sent = 0;
    const capture = startProber({
      url: `${server.url}/capture/`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      everyMs: PROBE_EVERY_MS,
      body: () =>
        JSON.stringify({ api_key: PROJECT_API_KEY, event: `other-${sent++}`, distinct_id: 'bench' }),
    });
    const ends = performance.now() + LOOP_MS;
    let attacks = 0;
    while (performance.now() < ends) {
      await attack(server);
      attacks += 1;
    }
    const { p50, p99, max, failed } = await capture.stop();
    return {
      attacks,
      p50,
      p99,
      max,
      failed,
      peakMb: readMemory(server.pid).peakMb,
      isAlive: isAlive(server.pid),
    };
  } finally {
    await server.stop();
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @param {string} url @param {Buffer} body @param {Record<string, string>} headers @returns {Promise<void>} */
function post(url, body, headers) {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': body.length } });
    sent.once('response', (response) => void response.resume().once('end', () => resolve()));
    sent.once('error', () => resolve());
    sent.end(body);
  });
}

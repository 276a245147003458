// @ts-check
/**
 * The load client, a process of its own: N keep-alive connections over bare sockets, each sending its next request
 * when the last is answered. Takes one JSON argument (`Load`), prints one JSON line (`LoadResult`).
 */
import { connect } from 'node:net';
import { findDistinctIds, findUuids, readPool } from './bodies.mjs';
import { createResponseReader } from './http-response.mjs';
import { createRandom } from './random.mjs';
import { percentile } from './statistics.mjs';
import { writeUuid } from './uuids.mjs';

/** A refused request is sent again after so many ms: a closed loop against refusals would only measure refusals. */
const PAUSE_AFTER_REFUSAL_MS = 100;

/**
 * @typedef {object} Load
 * @property {string} url Of the server, without path.
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} pool File of bodies, see `writePool`.
 * @property {boolean} renewUuids Write new version-7 uuids into each plain body before it is sent.
 * @property {{ from: number, count: number | null }} [distinctIds] Write into each event the id of one of `count` persons, or,
 *   when null, of one never seen before.
 * @property {number} connections
 * @property {number} warmupSeconds
 * @property {number} seconds
 */

/**
 * @typedef {object} LoadResult
 * @property {number} requestsPerSecond Answered with 200, in the measured time.
 * @property {number} p50 Of these, ms.
 * @property {number} p975
 * @property {number} p99
 * @property {number} answered 200s since the start, warm-up included.
 * @property {Record<string, number>} refused Other statuses and how often, `lost` for broken connections; warm-up included.
 * @property {number} repeated Requests whose bytes had been sent before, uuids included.
 */

/**
 * @param {Load} load
 * @returns {Promise<LoadResult>}
 */
function run(load) {
  const requests = makeRequests(load);
  const { hostname, port } = new URL(load.url);
  const start = performance.now();
  const measureFrom = start + load.warmupSeconds * 1000;
  const end = measureFrom + load.seconds * 1000;
  /** @type {number[]} */
  const latencies = [];
  /** @type {Record<string, number>} */
  const refused = {};
  let answered = 0;
  let open = 0;

  return new Promise((resolve) => {
    const finish = () => {
      resolve({
        requestsPerSecond: latencies.length / load.seconds,
        p50: percentile(latencies, 0.5),
        p975: percentile(latencies, 0.975),
        p99: percentile(latencies, 0.99),
        answered,
        refused,
        repeated: requests.repeated(),
      });
    };
    const openConnection = () => {
      open += 1;
      let sentAt = 0;
      const socket = connect({ host: hostname, port: Number(port) }).setNoDelay(true);
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end) return void socket.destroy();
        for (const part of requests.next()) socket.write(part);
      };
      const onResponse = (/** @type {number} */ status) => {
        const now = performance.now();
        if (status !== 200) {
          refused[status] = (refused[status] ?? 0) + 1;
          return void setTimeout(() => socket.destroyed || send(), PAUSE_AFTER_REFUSAL_MS);
        }
        answered += 1;
        if (now >= measureFrom && now < end) latencies.push(now - sentAt);
        send();
      };
      socket.once('connect', send);
      socket.on('data', createResponseReader(onResponse));
      socket.on('error', () => (refused['lost'] = (refused['lost'] ?? 0) + 1));
      socket.once('close', () => {
        open -= 1;
        if (performance.now() < end) setTimeout(openConnection, PAUSE_AFTER_REFUSAL_MS);
        else if (open === 0) finish();
      });
    };
    for (let n = 0; n < load.connections; n += 1) openConnection();
  });
}

/**
 * The requests in turn, as buffers ready for the socket.
 * @param {Load} load
 */
function makeRequests(load) {
  const requests = readPool(load.pool).map((body) => ({
    head: Buffer.from(requestHead(load, body.length), 'latin1'),
    body,
    uuids: load.renewUuids ? findUuids(body) : [],
    distinctIds: load.distinctIds === undefined ? [] : findDistinctIds(body),
  }));
  const random = createRandom(Math.floor(Math.random() * 2 ** 32));
  let turn = 0;
  let person = load.distinctIds?.from ?? 0;
  const nextPerson = () => {
    const { from, count } = load.distinctIds ?? { from: 0, count: 1 };
    return count === null ? person++ : from + Math.floor(random() * count);
  };
  return {
    next() {
      const request = requests[turn % requests.length];
      if (request === undefined) throw new Error('The pool holds no body.');
      turn += 1;
      const { head, body, uuids, distinctIds } = request;
      const options = /** @type {const} */ ({ version: 7, now: Date.now(), random });
      for (const offset of uuids) writeUuid(body, offset, options);
      for (const offset of distinctIds) writeDigits(body, offset, nextPerson());
      // One write for a small request; a large body is not copied.
      return body.length < 4096 ? [Buffer.concat([head, body])] : [head, body];
    },
    repeated: () => (load.renewUuids ? 0 : Math.max(0, turn - requests.length)),
  };
}

/** Ten decimal digits. @param {Buffer} body @param {number} offset @param {number} number */
function writeDigits(body, offset, number) {
  let rest = number;
  for (let place = offset + 9; place >= offset; place -= 1) {
    body[place] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** @param {Load} load @param {number} length */
function requestHead({ url, path, headers }, length) {
  const lines = Object.entries({ ...headers, 'Content-Length': String(length) }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${lines.join('')}\r\n`;
}

process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '')))}\n`);
process.exit(0);

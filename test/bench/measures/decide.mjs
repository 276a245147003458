// @ts-check
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from '../burrow-api.mjs';
import { runLoad } from '../load.mjs';
import { PROJECT_API_KEY, start, startOn } from '../servers.mjs';
import { cohortOf, flagOf, FLAG_COHORTS, personOf } from './decide-data.mjs';

const PERSONS = 10_000;
/** Other persons, evaluated while the server warms up: each of the persons above is still uncached then. */
const WARM_UP = { from: PERSONS, count: PERSONS };
const FEW_FLAGS = 20;
const MANY_FLAGS = 500;
const CONNECTIONS = 50;
/** With many flags an answer takes about as long as the others before it: with many connections only they are measured. */
const FEW_CONNECTIONS = 4;
const PERSONS_PER_REQUEST = 1_000;
const PATH = '/decide/?v=3';
const HEADERS = { 'Content-Type': 'application/json' };

/**
 * `/decide` for stored persons, without properties in the request: requests a second of persons drawn evenly from 10,000,
 * the first time of each among them, beside a server that parses the same bodies and answers a constant; and with 500
 * flags, of which many ask for cohorts. Times in ms.
 * @param {{ warmupSeconds: number, seconds: number }} times
 */
export async function measureDecide(times) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-decide-'));
  try {
    const pool = join(folder, 'bodies');
    await writeFile(pool, poolOf({ api_key: PROJECT_API_KEY, distinct_id: 'p-0000000000', groups: {} }));
    const load = { path: PATH, headers: HEADERS, pool, renewUuids: false, connections: CONNECTIONS };
    const few = await loaded(FEW_FLAGS, load, times);
    const many = await loaded(MANY_FLAGS, { ...load, connections: FEW_CONNECTIONS }, times);
    const parse = await parsed(load, times);
    return {
      decidePersons: PERSONS,
      decidePerSecond: few.requestsPerSecond,
      decideShare: few.requestsPerSecond / parse.requestsPerSecond,
      decideP50: few.p50,
      decideP975: few.p975,
      constantP50: parse.p50,
      constantP975: parse.p975,
      manyFlagsP50: many.p50,
      manyFlagsPerSecond: many.requestsPerSecond,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @typedef {Pick<import('../client.mjs').Load, 'path' | 'headers' | 'pool' | 'renewUuids' | 'connections'>} DecideLoad */
/** @typedef {{ warmupSeconds: number, seconds: number }} Times */

/** @param {number} flags @param {DecideLoad} load @param {Times} times */
async function loaded(flags, load, { warmupSeconds, seconds }) {
  const server = await start('burrow', (folder) => fill(folder, flags));
  try {
    await expectFlags(server.url, flags);
    await runLoad({
      ...load,
      url: server.url,
      distinctIds: WARM_UP,
      warmupSeconds: 0,
      seconds: warmupSeconds,
    });
    const distinctIds = { from: 0, count: PERSONS };
    return answered(await runLoad({ ...load, url: server.url, distinctIds, warmupSeconds: 0, seconds }));
  } finally {
    await server.stop();
  }
}

/** @param {DecideLoad} load @param {Times} times */
async function parsed(load, times) {
  const server = await start('parse');
  try {
    return answered(
      await runLoad({ ...load, ...times, url: server.url, distinctIds: { from: 0, count: PERSONS } }),
    );
  } finally {
    await server.stop();
  }
}

/** @param {import('../client.mjs').LoadResult} result */
function answered(result) {
  const refused = Object.keys(result.refused);
  if (refused.length > 0) throw new Error(`Requests for flags were answered ${refused.join(', ')}.`);
  return result;
}

/** Persons and flags, so that the server that is measured finds them in its file. @param {string} folder @param {number} flags */
async function fill(folder, flags) {
  const server = await startOn(folder);
  try {
    for (let from = 0; from < 2 * PERSONS; from += PERSONS_PER_REQUEST) {
      const batch = Array.from({ length: PERSONS_PER_REQUEST }, (_, n) => personOf(from + n));
      const response = await fetch(`${server.url}/batch/`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ api_key: PROJECT_API_KEY, batch }),
      });
      if (!response.ok) throw new Error(`/batch/ answered ${response.status}`);
    }
    /** @type {number[]} */
    const cohorts = [];
    for (let n = 0; n < FLAG_COHORTS; n += 1) {
      cohorts.push((await post(server, '/cohorts/', cohortOf(n))).id);
    }
    for (let n = 0; n < flags; n += 1) await post(server, '/feature_flags/', flagOf(n, cohorts));
  } finally {
    await server.stop();
  }
}

/** A figure for answers without flags would look well. @param {string} url @param {number} flags */
async function expectFlags(url, flags) {
  const body = JSON.stringify({ api_key: PROJECT_API_KEY, distinct_id: 'p-0000019999' });
  /** @type {any} */
  const answer = await (await fetch(url + PATH, { method: 'POST', headers: HEADERS, body })).json();
  const values = Object.values(answer.featureFlags);
  if (values.length !== flags || answer.errorsWhileComputingFlags || !values.includes(true))
    throw new Error(
      `Of ${flags} flags ${values.length} were answered: ${JSON.stringify(answer).slice(0, 500)}`,
    );
}

/** A pool of one body, see `writePool`. @param {object} json */
function poolOf(json) {
  const body = Buffer.from(JSON.stringify(json));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

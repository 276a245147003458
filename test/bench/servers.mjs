// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The key that all bodies carry; Burrow's first project takes it from the environment. */
export const PROJECT_API_KEY = 'phc_benchbenchbenchbenchbenchbenchbenchbenchbench';

/** A file of fifty million events takes a while to open. */
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 30_000;
const LOG_KEPT = 16 * 1024;

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {number} pid
 * @property {Record<string, any>} ready What its ready line says.
 * @property {number} startMs From spawn to the ready line.
 * @property {(message: object) => Promise<any>} ask Sends a message and waits for the next one (of `busy` and `watched` only).
 * @property {() => Promise<void>} stop Drains it and removes its folder.
 */

/** The memory limit of DuckDB in the server for queries. */
export const WATCHED_MEMORY_MB = 1_000;

/** The same in the server that `measures/hostile.mjs` attacks. */
export const HOSTILE_MEMORY_MB = 600;

/** Where `measures/definitions.mjs` builds its server, beside the usual one, which finds its files from there. */
export const WITHOUT_DEFINITIONS = 'dist/without-definitions/';

/**
 * `watched` is Burrow with `queries/watched-statements.mjs` in it, `busy` with `measures/long-queries.mjs` in it, `bare` one that lists no names of events and properties.
 * @typedef {'burrow' | 'bare' | 'durable' | 'ndjson' | 'parse' | 'express' | 'busy' | 'watched' | 'hostile'} ServerName
 */

/** @type {Record<Exclude<ServerName, 'burrow' | 'bare' | 'busy' | 'watched' | 'hostile'>, string>} */
const COMPARED = {
  durable: './floors/durable.mjs',
  ndjson: './floors/ndjson.mjs',
  parse: './floors/parse.mjs',
  express: './floors/express.mjs',
};

/**
 * A built Burrow: the folder that holds its `dist`.
 * @typedef {{ folder: URL }} Build
 */

/** This project, as it was built last. @type {Build} */
export const OWN_BUILD = { folder: new URL('../../', import.meta.url) };

let build = OWN_BUILD;

/** From now on servers of Burrow are started from this build. @param {Build} other */
export function useBuild(other) {
  build = other;
}

/**
 * Starts a server on a new folder under the system's temporary folder.
 * @param {ServerName} name
 * @param {(folder: string) => Promise<void>} [prepare] Fills the folder before.
 * @returns {Promise<Server>}
 */
export async function start(name, prepare = async () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    await prepare(folder);
    return await launch(commandOf(name, folder), removeFolder);
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/**
 * Runs Burrow on a folder that stays when it stops.
 * @param {string} folder
 * @param {'burrow' | 'watched'} [name]
 * @returns {Promise<Server>}
 */
export function startOn(folder, name = 'burrow') {
  return launch(commandOf(name, folder), async () => {});
}

/** @param {ServerName} name @param {string} folder */
function commandOf(name, folder) {
  if (name === 'burrow' || name === 'busy' || name === 'bare' || name === 'watched' || name === 'hostile') {
    const dist = name === 'bare' ? WITHOUT_DEFINITIONS : 'dist/server/';
    const main = fileURLToPath(new URL(`${dist}main.js`, build.folder));
    const preload = { busy: './measures/long-queries.mjs', watched: './queries/watched-statements.mjs' };
    const preloaded =
      name === 'busy' || name === 'watched' ? ['--import', new URL(preload[name], import.meta.url).href] : [];
    const limits = { watched: WATCHED_MEMORY_MB, hostile: HOSTILE_MEMORY_MB };
    const limit = name === 'watched' || name === 'hostile' ? ['--memory-limit', `${limits[name]}MB`] : [];
    return [...preloaded, main, 'serve', '--data-dir', folder, '--port', '0', '--json', ...limit];
  }
  return [fileURLToPath(new URL(COMPARED[name], import.meta.url)), join(folder, 'events.ndjson')];
}

/**
 * @param {string[]} command
 * @param {() => Promise<void>} cleanUp
 * @returns {Promise<Server>}
 */
async function launch(command, cleanUp) {
  const before = performance.now();
  const env = { ...process.env, BURROW_PROJECT_API_KEY: PROJECT_API_KEY, UV_THREADPOOL_SIZE: '16' };
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-LOG_KEPT)));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ready = await firstLine(child, exited, () => log);
  const startMs = performance.now() - before;
  return {
    url: ready.url.replace(/\/$/, ''),
    pid: Number(child.pid),
    ready,
    startMs,
    ask: (message) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(message);
      }),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(timer);
      process.off('exit', killWithUs);
      await cleanUp();
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} exited
 * @param {() => string} log
 * @returns {Promise<any>}
 */
function firstLine(child, exited, log) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`A server was not ready within ${START_LIMIT_MS} ms.\n${log()}`));
    }, START_LIMIT_MS);
    createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stdout) }).once(
      'line',
      (line) => {
        clearTimeout(timer);
        resolve(JSON.parse(line));
      },
    );
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`A server ended before it was ready (code ${code}).\n${log()}`));
    });
  });
}

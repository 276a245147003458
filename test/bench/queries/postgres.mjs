// @ts-check
/** PostgreSQL 15 with jsonb and the indexes that such a table has, over the same rows, where it is installed. */
import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { readTsv } from './tsv.mjs';

const run = promisify(execFile);
const VERSION = / 15\./;
const SCHEMA = `CREATE TABLE events (project_id integer NOT NULL, event text NOT NULL, "timestamp" timestamp NOT NULL,
  person_id integer NOT NULL, distinct_id text NOT NULL, uuid uuid NOT NULL, properties jsonb NOT NULL)`;
const INDEXES = `CREATE INDEX ON events (project_id, event, "timestamp");
CREATE INDEX ON events (project_id, "timestamp");
CREATE INDEX ON events (project_id, person_id, "timestamp");
VACUUM (ANALYZE) events;`;
/** One worker beside the leader: two threads, as the others have. */
const SETTINGS = {
  shared_buffers: '1GB',
  work_mem: '256MB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  max_parallel_workers_per_gather: '1',
};

/**
 * Fills a new server with the rows of a Parquet file; null, and why on stderr, where PostgreSQL 15 is not on the PATH.
 * @param {{ parquet: string, statements: string[] }} options
 * @returns {Promise<import('./child.mjs').Engine | null>}
 */
export async function startPostgres({ parquet, statements }) {
  const user = await findUser();
  if (user === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-postgres-'));
  await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  /** @param {string} command @param {string[]} args */
  const asUser = (command, args) => run(command, args, { ...user, cwd: folder });
  const stop = async () => {
    await asUser('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await asUser('initdb', ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
    const settings = { ...SETTINGS, listen_addresses: "''", unix_socket_directories: `'${folder}'` };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const log = join(folder, 'log');
    await asUser('pg_ctl', ['-D', data, '-w', '-l', log, '-o', options.join(' '), 'start']);
    await psql(folder, SCHEMA);
    await load(folder, parquet);
    await psql(folder, INDEXES);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ask: (at) => ask(folder, String(statements[at])), stop };
}

/** Who may run a server: PostgreSQL refuses root. */
async function findUser() {
  try {
    const { stdout } = await run('initdb', ['--version']);
    if (!VERSION.test(`${stdout} `)) throw new Error(`version 15 is wanted, found ${stdout.trim()}`);
    if (process.getuid?.() !== 0) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const ids = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])));
    const [uid = 0, gid = 0] = ids.map((told) => Number(told.stdout));
    return { uid, gid };
  } catch (error) {
    process.stderr.write(`PostgreSQL is left out: ${String(error).slice(0, 300)}\n`);
    return null;
  }
}

/** @param {string} folder @param {string} parquet */
async function load(folder, parquet) {
  const file = join(folder, 'events.csv');
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT project_id, event, timestamp, person_id, distinct_id, uuid, properties FROM '${parquet}')
    TO '${file}' (FORMAT csv, HEADER false)`);
  connection.closeSync();
  instance.closeSync();
  const csv = await open(file);
  try {
    await psql(folder, 'COPY events FROM STDIN (FORMAT csv)', csv.fd);
  } finally {
    await csv.close();
    await rm(file);
  }
}

/** @param {string} folder @param {string} sql */
async function ask(folder, sql) {
  const text = await psql(folder, `\\timing on\n${sql};\n`);
  const time = /^Time: ([\d.]+) ms/m.exec(text);
  if (time === null) throw new Error(`psql told no time: ${text.slice(-300)}`);
  return { ms: Number(time[1]), rows: readTsv(text.slice(0, time.index)) };
}

/**
 * Runs statements; `input`, an open file, is what they read as STDIN.
 * @param {string} folder
 * @param {string} sql
 * @param {number} [input]
 * @returns {Promise<string>}
 */
function psql(folder, sql, input) {
  const common = [
    '-X',
    '-q',
    '-A',
    '-t',
    '-F',
    '\t',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    folder,
    '-U',
    'bench',
    'postgres',
  ];
  const child = spawn('psql', input === undefined ? common : [...common, '-c', sql], {
    stdio: [input ?? 'pipe', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin?.end(sql);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`psql: ${errors.slice(0, 500)}`));
    });
  });
}

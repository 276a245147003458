// How much memory DuckDB's planner takes for statements of a given length, by shape: the figures behind MAX_EXPANDED_LENGTH
// (server/hogql/print/duckdb/statement.ts). Each statement is planned in a process of its own, which is ended at 3 GB.
//   node test/bench/planning.mjs [characters]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

const COLUMNS = `uuid VARCHAR, event VARCHAR, distinct_id VARCHAR, properties VARCHAR, "timestamp" TIMESTAMP, project_id BIGINT`;
const ROW = `SELECT 'a', 'b', 'c', '{}', now()::TIMESTAMP, 1 FROM range(10)`;
// Of an empty table nothing would be planned.
const TABLES = ['events', 'events_recent'].map(
  (name) => `CREATE TABLE ${name} (${COLUMNS}); INSERT INTO ${name} ${ROW}`,
);
const LEAF = `(SELECT t.k0 AS c0, t.k1 AS c1 FROM (SELECT event AS k0, json_extract_string(properties, '$."$browser"') AS k1 FROM events e WHERE e.project_id = 1 UNION ALL SELECT event AS k0, json_extract_string(properties, '$."$browser"') AS k1 FROM events_recent e WHERE e.project_id = 1) AS t WHERE t.k0 = '$pageview')`;

/** As many of a part as make up so many characters. */
const many = (size, part) =>
  Array.from({ length: Math.max(2, Math.floor(size / part(0).length)) }, (_, at) => part(at));

/** WITH queries of which each reads the one before twice. Expanded they are as long as it says. */
function doubled(size, leaf, wrap) {
  const texts = [`w0 AS (${leaf})`];
  let length = leaf.length;
  while (length < size) {
    const text = wrap(`w${texts.length - 1}`);
    texts.push(`w${texts.length} AS (${text})`);
    length = text.length + 2 * length;
  }
  // With a LIMIT, which each statement of HogQL has, DuckDB puts the queries where they are named.
  return `WITH ${texts.join(', ')} SELECT count(*) FROM w${texts.length - 1} LIMIT 101`;
}

const SHAPES = {
  'CTEs doubled by UNION ALL': (size) =>
    doubled(
      size,
      'SELECT range AS c0 FROM range(0, 3)',
      (name) => `(SELECT q1.c0 AS c0 FROM ${name} AS q1) UNION ALL (SELECT q2.c0 AS c0 FROM ${name} AS q2)`,
    ),
  'CTEs of events doubled by UNION ALL': (size) =>
    doubled(
      size,
      LEAF,
      (name) => `(SELECT q1.c0 AS c0 FROM ${name} AS q1) UNION ALL (SELECT q2.c0 AS c0 FROM ${name} AS q2)`,
    ),
  'queries put together': (size) => many(size, () => LEAF).join(' UNION ALL '),
  'columns of one query': (size) =>
    `SELECT ${many(size, (at) => `(t.k0 || 'suffix ${at}') AS c${at}`).join(', ')} FROM (SELECT event AS k0 FROM events) t`,
  'one condition after the other': (size) =>
    `SELECT count(*) FROM events e WHERE ${many(size, (at) => `e.event = 'an event ${at}'`).join(' OR ')}`,
  'JSON paths': (size) =>
    `SELECT ${many(size, (at) => `json_extract_string(e.properties, '$."p${at}"') AS c${at}`).join(', ')} FROM events e`,
  lambdas: (size) =>
    `SELECT ${many(size, (at) => `list_transform([e.event], lambda x: x || '${at}')[1] AS c${at}`).join(', ')} FROM events e`,
  aggregates: (size) =>
    `SELECT ${many(size, (at) => `count(*) FILTER (WHERE e.event = 'an event ${at}') AS c${at}`).join(', ')} FROM events e`,
  'subqueries as values': (size) =>
    `SELECT ${many(size, (at) => `(SELECT count(*) FROM events e WHERE e.event = 'an event ${at}') AS c${at}`).join(', ')}`,
  'subqueries in FROM': (size) => {
    const levels = Math.min(150, Math.floor(size / 120));
    let sql = LEAF;
    for (let at = 0; at < levels; at++)
      sql = `(SELECT q${at}.c0 || 'x' AS c0, upper(q${at}.c1) AS c1 FROM ${sql} q${at} WHERE q${at}.c0 <> 'y')`;
    return `SELECT count(c0) FROM ${sql} q`;
  },
};

if (process.argv[2] === '--plan') await plan(process.argv[3], Number(process.argv[4]));
else
  for (const shape of Object.keys(SHAPES)) {
    const { stdout, signal } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), '--plan', shape, process.argv[2] ?? '500000'],
      { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' },
    );
    console.log(
      `${shape.padEnd(38)} ${stdout.trim() || `ended by ${signal ?? 'itself'}: more than 3 GB or two minutes`}`,
    );
  }

async function plan(shape, size) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '512MiB' });
  const connection = await instance.connect();
  for (const table of TABLES) await connection.run(table);
  const sql = SHAPES[shape](size);
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
    if (peak > 3e9) process.kill(process.pid, 'SIGKILL');
  }, 5);
  const started = performance.now();
  const failure = await connection.run(`EXPLAIN ${sql}`).then(
    () => '',
    (error) => ` ${String(error).slice(0, 80)}`,
  );
  clearInterval(timer);
  peak = Math.max(peak, process.memoryUsage.rss());
  const megabytes = Math.round((peak - before) / 1e6);
  console.log(
    `${megabytes} MB in ${Math.round(performance.now() - started)} ms (${sql.length} characters written)${failure}`,
  );
  process.exit(0);
}

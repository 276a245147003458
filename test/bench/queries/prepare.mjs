// @ts-check
/**
 * A process of its own: `node prepare.mjs <file> <events> <end> <days>`. Fills the database of a stopped server with events of so
 * many days before the end (Unix ms), as compaction lays them down (by event within each step of its rows), and writes beside it
 * what the others read: `typed.duckdb`, typed columns in the order of the questions, and `events.parquet`, the rows as they are.
 */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [file = '', events = '0', end = '0', days = '90'] = process.argv.slice(2);
/** As `server/warehouse/duckdb/compaction.ts` moves them in one step. */
const COMPACTION_ROWS = 122_880;
const PERSONS = 0.02;
const instance = await DuckDBInstance.create(file, { memory_limit: '4GB', preserve_insertion_order: 'true' });
const connection = await instance.connect();
/** @param {string} sql */
const run = (sql) => connection.run(sql);

const persons = Math.ceil(Number(events) * PERSONS);
const NAMES = `(['$pageview', '$autocapture', 'item_viewed', 'item_added', 'search_performed', 'signup', 'purchase', '$pageleave'])`;
// Skewed, as people and events are; the same for the same number of events.
const random = (/** @type {string} */ salt) => `((hash(i, '${salt}') % 1000000) / 1000000.0)`;

await run(`INSERT INTO persons_settled SELECT 1, 1000 + i, uuid(), now()::TIMESTAMP, '{"plan":"free"}', '{}', false
  FROM range(${persons}) r(i)`);
await run(
  `INSERT INTO person_distinct_ids_settled SELECT 1, 'p-' || i, 1000 + i, 0 FROM range(${persons}) r(i)`,
);
await run(`INSERT INTO events BY NAME
  SELECT 1 AS project_id, t AS timestamp, uuid() AS uuid, event, 'p-' || p AS distinct_id, 1000 + p AS person_id,
    json_object('$browser', browser, '$os', ${pick('os', ['Mac OS X', 'Windows', 'iOS'])}, '$lib', 'web',
      '$current_url', 'https://shop.example/products/' || (i % 400), '$pathname', '/products/' || (i % 400),
      '$host', 'shop.example', '$session_id', 's-' || p || '-' || (i % 50), '$device_type', 'Desktop', '$screen_height', 900,
      '$screen_width', 1440, 'plan', ${pick('plan', ['free', 'pro', 'team', 'enterprise'])},
      'amount', (${random('amount')} * 1000)::INTEGER, 'category', ${pick('category', ['shoes', 'books', 'toys'])},
      'referral', md5(i::VARCHAR), 'is_member', i % 3 = 0, 'page_load_ms', i % 4000)::VARCHAR AS properties,
    t AS received_at, false AS historical, browser AS "$browser", 'web' AS "$lib",
    'https://shop.example/products/' || (i % 400) AS "$current_url", '/products/' || (i % 400) AS "$pathname",
    'shop.example' AS "$host", 's-' || p || '-' || (i % 50) AS "$session_id", 'Desktop' AS "$device_type"
  FROM (SELECT i, epoch_ms(${Number(end)}::BIGINT - ((${events} - i) * ${days} * 86400000.0 / ${events})::BIGINT) AS t,
      ${NAMES}[1 + floor(8 * power(${random('event')}, 2))::INTEGER] AS event,
      floor(${persons} * power(${random('person')}, 2))::INTEGER AS p,
      ${pick('browser', ['Chrome', 'Safari', 'Firefox', 'Edge'])} AS browser
    FROM range(${events}) r(i))
  ORDER BY i // ${COMPACTION_ROWS}, event, timestamp, uuid`);
await run(`UPDATE events SET "$os" = json_extract_string(properties, '$."$os"')`);
await run('CHECKPOINT');

const folder = dirname(file);
for (const name of ['typed.duckdb', 'typed.duckdb.wal', 'events.parquet'])
  rmSync(join(folder, name), { force: true });
await run(`ATTACH '${join(folder, 'typed.duckdb')}' AS limits`);
await run(`CREATE TABLE limits.typed AS
  SELECT project_id, event, timestamp, person_id, json_extract_string(properties, '$.plan') AS plan,
    json_extract_string(properties, '$.amount')::DOUBLE AS amount
  FROM events WHERE project_id = 1 ORDER BY project_id, timestamp::DATE, event, timestamp`);
await run(`COPY (SELECT project_id, event, timestamp, person_id, distinct_id, uuid::VARCHAR AS uuid, properties FROM events)
  TO '${join(folder, 'events.parquet')}' (FORMAT parquet)`);
await run('DETACH limits');
connection.closeSync();
instance.closeSync();

/** @param {string} salt @param {string[]} values */
function pick(salt, values) {
  return `(['${values.join("', '")}'])[1 + (hash(i, '${salt}') % ${values.length})::INTEGER]`;
}

// @ts-check
/**
 * Fills the database of a stopped server, as a process of its own: `node seed.mjs <file> <persons> <events>`. Persons
 * have the distinct ids `p-0000000000` and on; events are variations of those that the file holds already.
 */
import { DuckDBInstance } from '@duckdb/node-api';

const [file = '', persons = '0', events = '0'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(file, { memory_limit: '4GB' });
const connection = await instance.connect();

/** @param {string} sql */
const run = (sql) => connection.run(sql);

await run(`INSERT INTO persons_settled SELECT 1, 1000 + i, uuid(), now()::TIMESTAMP,
  '{"email":"p' || i || '@shop.example","plan":"free"}', '{}', false FROM range(${Number(persons)}) r(i)`);
await run(`INSERT INTO person_distinct_ids_settled
  SELECT 1, 'p-' || lpad(i::VARCHAR, 10, '0'), 1000 + i, 0 FROM range(${Number(persons)}) r(i)`);
// The sample is read once: a round that read it from the growing table would cost more than the one before.
await run('CREATE TEMP TABLE sample AS SELECT * FROM all_events ORDER BY timestamp');
const sample = Number((await connection.runAndReadAll('SELECT count(*)::INTEGER FROM sample')).value(0, 0));
const rounds = sample === 0 ? 0 : Math.ceil(Number(events) / sample);
for (let round = 0; round < rounds; round += 1) {
  // A month of events, oldest first, as compaction lays them down.
  await run(`INSERT INTO events BY NAME
    SELECT * REPLACE (timestamp - to_minutes(${Math.floor(((rounds - round) * 43_200) / rounds)}) AS timestamp, uuid() AS uuid)
    FROM sample`);
}
await run('CHECKPOINT');
connection.closeSync();
instance.closeSync();

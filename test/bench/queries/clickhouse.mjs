// @ts-check
/**
 * A process of its own (see `child.mjs`): answers questions in ClickHouse (npm `chdb`), from a table as PostHog has it, with its JSON
 * type. Opened with `{ module, folder, parquet, statements }`.
 */
import { createRequire } from 'node:module';
import { answerQuestions } from './child.mjs';
import { readTsv } from './tsv.mjs';

answerQuestions(async ({ module, folder, parquet, statements }) => {
  const { Session } = createRequire(import.meta.url)(module);
  const session = new Session(folder);
  session.query('CREATE DATABASE IF NOT EXISTS bench');
  session.query(`CREATE TABLE bench.events (project_id Int32, event String, timestamp DateTime64(6, 'UTC'), person_id Int32,
    distinct_id String, uuid String, properties JSON) ENGINE = MergeTree
    ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))`);
  session.query(`INSERT INTO bench.events SELECT project_id, event, timestamp, person_id, distinct_id, uuid, properties
    FROM file('${parquet}', Parquet)`);
  session.query('OPTIMIZE TABLE bench.events FINAL');
  return async (at) => {
    const sql = String(statements[at]).replace(/\bFROM events\b/g, 'FROM bench.events');
    const text = session.query(`${sql} SETTINGS max_threads = 2`, 'TSV');
    return () => readTsv(text);
  };
});

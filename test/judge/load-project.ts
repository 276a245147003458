import type { Store } from '../../server/db/client.ts';
import { CLICKHOUSE_DICTIONARIES } from '../../server/hogql/print/clickhouse/dictionaries.ts';
import { askHogql, type AskOptions } from '../support/ask-hogql.ts';
import type { Clickhouse } from './clickhouse.ts';

/** The tables of the warehouse in ClickHouse that the printed statements read. */
const SCHEMA: Readonly<Record<string, string>> = {
  events: `project_id Int64, uuid UUID, event String, properties String, timestamp DateTime64(6, 'UTC'), distinct_id String,
    elements_chain String, received_at DateTime64(6, 'UTC'), person_id UUID`,
  person_overrides: 'project_id Int64, old_person_id UUID, person_id UUID',
  persons: `project_id Int64, id UUID, created_at DateTime64(6, 'UTC'), properties String, is_identified Bool`,
  person_distinct_ids: 'project_id Int64, distinct_id String, person_id UUID',
  cohort_people: 'project_id Int64, person_id UUID, cohort_id Int64',
  groups: `project_id Int64, group_type_index Int64, group_key String, created_at DateTime64(6, 'UTC'), properties String`,
};

/** What fills each of them, in HogQL: columns in the order of the schema, without the project. */
const ROWS: Readonly<Record<string, string>> = {
  events: `SELECT toString(uuid), event, toString(properties), toString(toUnixTimestamp64Micro(timestamp)), distinct_id, elements_chain,
    toString(toUnixTimestamp64Micro(created_at)), toString(person_id) FROM events`,
  persons: `SELECT toString(id), toString(toUnixTimestamp64Micro(created_at)), toString(properties), is_identified FROM persons`,
  person_distinct_ids: 'SELECT distinct_id, toString(person_id) FROM person_distinct_ids',
  cohort_people: 'SELECT toString(person_id), cohort_id FROM cohort_people',
  groups: `SELECT index, key, toString(toUnixTimestamp64Micro(created_at)), toString(properties) FROM groups`,
};

/** Recreates a database of ClickHouse, with the dictionaries that printed statements read, each over a table of its rows. */
export async function createDatabase(clickhouse: Clickhouse, database: string): Promise<void> {
  await clickhouse.run(`DROP DATABASE IF EXISTS ${database}`);
  await clickhouse.run(`CREATE DATABASE ${database}`);
  for (const [name, { key, values, rows }] of Object.entries(CLICKHOUSE_DICTIONARIES)) {
    const primaryKey = key.replaceAll(/ \w+(?=,|$)/g, '');
    await clickhouse.run(
      `CREATE TABLE ${database}.${name}_rows (${key}, ${values}) ENGINE = MergeTree ORDER BY (${primaryKey})`,
    );
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    await clickhouse.run(`INSERT INTO ${database}.${name}_rows FORMAT JSONCompactEachRow ${lines}`);
    await clickhouse.run(
      `CREATE DICTIONARY ${database}.${name} (${key}, ${values}) PRIMARY KEY ${primaryKey}
       SOURCE(CLICKHOUSE(DB '${database}' TABLE '${name}_rows')) LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)`,
    );
  }
}

/** Copies a project of a store into a database of ClickHouse, which is recreated. Rows are as HogQL shows them, merges included. */
export async function loadProject(
  clickhouse: Clickhouse,
  store: Store,
  database: string,
  options: AskOptions = {},
): Promise<void> {
  await createDatabase(clickhouse, database);
  for (const [table, columns] of Object.entries(SCHEMA)) {
    await clickhouse.run(
      `CREATE TABLE ${database}.${table} (${columns}) ENGINE = MergeTree ORDER BY project_id`,
    );
    const query = ROWS[table];
    if (query === undefined) continue;
    const { results } = await askHogql(store, query, {
      ...options,
      limits: { defaultRows: 1_000_000, maxRows: 1_000_000 },
    });
    if (results.length === 0) continue;
    const names = columns.split(/,\s*(?=\w+ [A-Z])/).map((column) => column.trim().split(' ')[0]!);
    const lines = results.map((row) =>
      JSON.stringify(
        Object.fromEntries(
          names.map((name, at) => [
            name,
            at === 0 ? (options.projectId ?? 1) : momentOf(columns, name, row[at - 1]),
          ]),
        ),
      ),
    );
    await clickhouse.run(`INSERT INTO ${database}.${table} FORMAT JSONEachRow ${lines.join('\n')}`);
  }
}

/** Microseconds as ClickHouse reads a moment: seconds with six digits. */
function momentOf(columns: string, name: string, value: unknown): unknown {
  if (!new RegExp(`\\b${name} DateTime64`).test(columns)) return value;
  const micros = BigInt(String(value));
  const iso = new Date(Number(micros / 1000n)).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

import type { Store } from '../../server/db/client.ts';
import { CLICKHOUSE_DICTIONARIES } from '../../server/hogql/print/clickhouse/dictionaries.ts';
import {
  columnsOf,
  schemaStatements,
  type WarehouseTableName,
} from '../../server/warehouse/clickhouse/schema.ts';
import { askHogql, type AskOptions } from '../support/ask-hogql.ts';
import type { Clickhouse } from './clickhouse.ts';

/** What fills tables of the warehouse, in HogQL: columns in the order of the schema, without the project. */
const ROWS: Readonly<Partial<Record<WarehouseTableName, string>>> = {
  events: `SELECT toString(uuid), event, toString(properties), toString(toUnixTimestamp64Micro(timestamp)), distinct_id, elements_chain,
    toString(toUnixTimestamp64Micro(created_at)), toString(person_id) FROM events`,
  persons: `SELECT toString(id), toString(toUnixTimestamp64Micro(created_at)), toString(properties), is_identified FROM persons`,
  person_distinct_ids: 'SELECT distinct_id, toString(person_id) FROM person_distinct_ids',
  cohort_people: 'SELECT toString(person_id), cohort_id FROM cohort_people',
  groups: `SELECT index, key, toString(toUnixTimestamp64Micro(created_at)), toString(properties) FROM groups`,
};

/** Recreates a database of ClickHouse, with the tables and dictionaries that printed statements read. */
export async function createDatabase(clickhouse: Clickhouse, database: string): Promise<void> {
  await clickhouse.run(`DROP DATABASE IF EXISTS ${database}`);
  for (const statement of schemaStatements({ database, dictionaries: CLICKHOUSE_DICTIONARIES }))
    await clickhouse.run(statement);
}

/** Copies a project of a store into a database of ClickHouse, which is recreated. Rows are as HogQL shows them, merges included. */
export async function loadProject(
  clickhouse: Clickhouse,
  store: Store,
  database: string,
  options: AskOptions = {},
): Promise<void> {
  await createDatabase(clickhouse, database);
  for (const [table, query] of Object.entries(ROWS) as [WarehouseTableName, string][]) {
    const { results } = await askHogql(store, query, {
      ...options,
      limits: { defaultRows: 1_000_000, maxRows: 1_000_000 },
    });
    if (results.length === 0) continue;
    const columns = columnsOf(table);
    const lines = results.map((row) =>
      JSON.stringify(
        Object.fromEntries(
          // What follows the last value of the row has its default.
          columns
            .slice(0, row.length + 1)
            .map(({ name, type }, at) => [
              name,
              at === 0 ? (options.projectId ?? 1) : momentOf(type, row[at - 1]),
            ]),
        ),
      ),
    );
    await clickhouse.run(`INSERT INTO ${database}.${table} FORMAT JSONEachRow ${lines.join('\n')}`);
  }
}

/** Microseconds as ClickHouse reads a moment: seconds with six digits. */
function momentOf(type: string, value: unknown): unknown {
  if (!type.startsWith('DateTime64')) return value;
  const micros = BigInt(String(value));
  const iso = new Date(Number(micros / 1000n)).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

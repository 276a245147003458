import { quoteIdentifier, quoteText } from '../../lib/quote-sql.ts';

/** A table of the warehouse: its columns, and what rows of it are versions of the same thing. */
interface WarehouseTable {
  readonly columns: string;
  /** The column whose greatest value is the current row, and the one that marks a deleted row. */
  readonly version?: string;
  readonly order: string;
  readonly partition?: string;
}

const MOMENT = `DateTime64(6, 'UTC')`;

/**
 * What printed statements read. Rows are sent at least once, so a table keeps one row per sorting key, and questions read
 * with `final = 1`. `seq` and `version` are the numbers that rows have in the file of Burrow; 0: they were there before.
 */
export const WAREHOUSE_TABLES = {
  events: {
    columns: `project_id Int64, uuid UUID, event String, properties String CODEC(ZSTD(3)), timestamp ${MOMENT},
      distinct_id String, elements_chain String CODEC(ZSTD(3)), received_at ${MOMENT}, person_id UUID, seq Int64`,
    order: '(project_id, toDate(timestamp), event, cityHash64(distinct_id), uuid)',
    partition: 'toYYYYMM(timestamp)',
  },
  /** Whose the events of a distinct ID are, where it has changed since they were stored. */
  person_overrides: {
    columns: 'project_id Int64, distinct_id String, person_id UUID, version Int64',
    version: 'version',
    order: '(project_id, distinct_id)',
  },
  persons: {
    columns: `project_id Int64, id UUID, created_at ${MOMENT}, properties String, is_identified Bool, version Int64,
      is_deleted UInt8`,
    version: 'version, is_deleted',
    order: '(project_id, id)',
  },
  person_distinct_ids: {
    columns: 'project_id Int64, distinct_id String, person_id UUID, version Int64, is_deleted UInt8',
    version: 'version, is_deleted',
    order: '(project_id, distinct_id)',
  },
  /** Distinct IDs of one batch, until it is known whose they were before. */
  incoming_distinct_ids: {
    columns: 'project_id Int64, distinct_id String, person_id UUID, version Int64, is_deleted UInt8',
    version: 'version, is_deleted',
    order: '(project_id, distinct_id)',
  },
  cohort_people: {
    columns: 'project_id Int64, person_id UUID, cohort_id Int64, version Int64',
    order: '(project_id, cohort_id, version, person_id)',
  },
  groups: {
    columns: `project_id Int64, group_type_index Int64, group_key String, created_at ${MOMENT}, properties String,
      version Int64, is_deleted UInt8`,
    version: 'version, is_deleted',
    order: '(project_id, group_type_index, group_key)',
  },
  /** How far the stream of a file has come. */
  stream_state: {
    columns: 'stream_id String, state String, version Int64',
    version: 'version',
    order: 'stream_id',
  },
} as const satisfies Readonly<Record<string, WarehouseTable>>;

/** Tables that printed statements look texts up in: the columns of the key, those of the values, and rows of both. */
export type WarehouseDictionaries = Readonly<
  Record<
    string,
    { readonly key: string; readonly values: string; readonly rows: readonly (readonly string[])[] }
  >
>;

export type WarehouseTableName = keyof typeof WAREHOUSE_TABLES;

/** The columns of a table with their types, in their order. */
export function columnsOf(table: WarehouseTableName): { name: string; type: string }[] {
  return WAREHOUSE_TABLES[table].columns.split(/,\s*(?=\w+ [A-Z])/).map((column) => {
    const [, name, type] = /^\s*(\w+) (.*?)(?: CODEC\(.*\))?\s*$/s.exec(column)!;
    return { name: name!, type: type! };
  });
}

/**
 * The statements that create what is missing of a database: tables, and the dictionaries that printed statements read. With a
 * cluster, each shard has the tables as `…_local`, replicated, and the names are tables over all shards; events and persons of a
 * project are spread by person, who is on one shard.
 */
export function schemaStatements({
  database,
  cluster = null,
  user = 'default',
  password = '',
  dictionaries,
}: {
  database: string;
  cluster?: string | null;
  /** Who dictionaries read their rows as. */
  user?: string;
  password?: string;
  dictionaries: WarehouseDictionaries;
}): string[] {
  const db = quoteIdentifier(database);
  const onCluster = cluster === null ? '' : ` ON CLUSTER ${quoteText(cluster)}`;
  return [
    `CREATE DATABASE IF NOT EXISTS ${db}${onCluster}`,
    ...Object.entries<WarehouseTable>(WAREHOUSE_TABLES).flatMap(([name, table]) => {
      const version = table.version ?? '';
      const rest = `${table.partition === undefined ? '' : ` PARTITION BY ${table.partition}`} ORDER BY ${table.order}`;
      if (cluster === null)
        return `CREATE TABLE IF NOT EXISTS ${db}.${name} (${table.columns}) ENGINE = ReplacingMergeTree(${version})${rest}`;
      const replica = `'/clickhouse/tables/{shard}/${database}/${name}', '{replica}'${version === '' ? '' : `, ${version}`}`;
      return [
        `CREATE TABLE IF NOT EXISTS ${db}.${name}_local${onCluster} (${table.columns}) ENGINE = ReplicatedReplacingMergeTree(${replica})${rest}`,
        `CREATE TABLE IF NOT EXISTS ${db}.${name}${onCluster} AS ${db}.${name}_local ENGINE = Distributed(${quoteText(cluster)}, ${quoteText(database)}, ${name}_local, ${SHARDED_BY[name] ?? '0'})`,
      ];
    }),
    ...Object.entries(dictionaries).flatMap(([name, { key, values, rows }]) => {
      const primaryKey = key.replaceAll(/ \w+(?=,|$)/g, '');
      const table = `${db}.${name}_rows`;
      const lines = rows.map((row) => `(${row.map(quoteText).join(', ')})`).join(', ');
      // Each node of a cluster has all rows.
      const engine =
        cluster === null
          ? 'MergeTree'
          : `ReplicatedMergeTree('/clickhouse/tables/all/${database}/${name}', '{shard}-{replica}')`;
      return [
        `CREATE TABLE IF NOT EXISTS ${table}${onCluster} (${key}, ${values}) ENGINE = ${engine} ORDER BY (${primaryKey})`,
        `TRUNCATE TABLE ${table}`,
        `INSERT INTO ${table} VALUES ${lines}`,
        `CREATE OR REPLACE DICTIONARY ${db}.${name}${onCluster} (${key}, ${values}) PRIMARY KEY ${primaryKey}
         SOURCE(CLICKHOUSE(DB ${quoteText(database)} TABLE '${name}_rows' USER ${quoteText(user)} PASSWORD ${quoteText(password)}))
         LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)`,
      ];
    }),
  ];
}

/** Events and distinct IDs of a person meet on one shard by the distinct ID; small tables are on the first. */
const SHARDED_BY: Readonly<Record<string, string>> = {
  events: 'cityHash64(distinct_id)',
  person_overrides: 'cityHash64(distinct_id)',
  person_distinct_ids: 'cityHash64(distinct_id)',
};

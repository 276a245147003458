import type { Analytics } from '../../db/db.ts';
import type { Clickhouse } from '../../warehouse/clickhouse/client.ts';
import type { WarehouseCheckJson } from './warehouse.contract.ts';

type TableName = WarehouseCheckJson['differences'][number]['table'];

/** The rows of a project, of one month for events: how many there are, and the sum of their hashes. */
interface Part {
  readonly project: number;
  readonly month: string | null;
  readonly rows: number;
  readonly checksum: string;
}

/** What a row is hashed of: its parts as text, in DuckDB and in ClickHouse. */
const TABLES: Readonly<
  Record<TableName, { file: string; from: string; warehouse: string; isByMonth?: true }>
> = {
  events: {
    from: 'all_events',
    file: `uuid::VARCHAR || event || distinct_id || epoch_us(timestamp)::VARCHAR || properties`,
    warehouse: `concat(toString(uuid), event, distinct_id, toString(toUnixTimestamp64Micro(timestamp)), properties)`,
    isByMonth: true,
  },
  persons: {
    from: 'persons',
    file: `uuid::VARCHAR || epoch_us(created_at)::VARCHAR || properties`,
    warehouse: `concat(toString(id), toString(toUnixTimestamp64Micro(created_at)), properties)`,
  },
  person_distinct_ids: { from: 'person_distinct_ids', file: 'distinct_id', warehouse: 'distinct_id' },
  groups: {
    from: 'groups',
    file: `group_type_index::VARCHAR || group_key || properties`,
    warehouse: `concat(toString(group_type_index), group_key, properties)`,
  },
};

/**
 * Compares the file with ClickHouse: rows and the sum of their hashes, by project, events also by month. Months of which the file
 * has deleted events, since its project keeps only so many, are not compared.
 */
export async function checkWarehouse(
  analytics: Analytics,
  clickhouse: Clickhouse,
): Promise<WarehouseCheckJson> {
  const differences: WarehouseCheckJson['differences'] = [];
  let rows = 0;
  const limited = new Set(
    (
      await analytics.all<{ project_id: number }>(
        'SELECT project_id FROM project_retention WHERE max_days IS NOT NULL OR max_gb IS NOT NULL',
      )
    ).map(({ project_id: id }) => id),
  );
  for (const table of Object.keys(TABLES) as TableName[]) {
    const [mine, theirs] = await Promise.all([
      partsOfFile(analytics, table),
      partsOfWarehouse(clickhouse, table),
    ]);
    for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
      const [file, there] = [mine.get(key), theirs.get(key)];
      const { project, month } = (file ?? there)!;
      rows += file?.rows ?? 0;
      if (file?.rows === there?.rows && file?.checksum === there?.checksum) continue;
      if (table === 'events' && limited.has(project) && (there?.rows ?? 0) > (file?.rows ?? 0)) continue;
      differences.push({ table, project, month, file: sumOf(file), warehouse: sumOf(there) });
    }
  }
  return { is_equal: differences.length === 0, rows, differences };
}

function sumOf(part: Part | undefined): { rows: number; checksum: string } {
  return { rows: part?.rows ?? 0, checksum: part?.checksum ?? '0' };
}

async function partsOfFile(analytics: Analytics, table: TableName): Promise<Map<string, Part>> {
  const { from, file, isByMonth } = TABLES[table];
  const month = isByMonth ? `strftime(timestamp, '%Y-%m')` : 'NULL';
  const found = await analytics.all<{
    project: number;
    month: string | null;
    rows: number;
    checksum: string;
  }>(
    `SELECT project_id::INTEGER AS project, ${month} AS month, count(*)::INTEGER AS rows,
       sum(('0x' || substr(md5(${file}), 1, 8))::BIGINT)::VARCHAR AS checksum
     FROM ${from} GROUP BY ALL`,
  );
  return byKey(found);
}

async function partsOfWarehouse(
  { database, analytics }: Clickhouse,
  table: TableName,
): Promise<Map<string, Part>> {
  const { warehouse, isByMonth } = TABLES[table];
  const month = isByMonth ? `formatDateTime(timestamp, '%Y-%m')` : `CAST(NULL, 'Nullable(String)')`;
  const found = await analytics.all<{ c0: number; c1: string | null; c2: number; c3: string }>(
    `SELECT project_id, ${month} AS month, count(), toString(sum(toUInt64(reinterpretAsUInt32(reverse(substring(MD5(${warehouse}), 1, 4))))))
     FROM ${database}.${table} GROUP BY project_id, month`,
  );
  return byKey(found.map(({ c0, c1, c2, c3 }) => ({ project: c0, month: c1, rows: c2, checksum: c3 })));
}

function byKey(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [`${part.project}:${part.month}`, part]));
}

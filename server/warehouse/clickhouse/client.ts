import { createReadStream } from 'node:fs';
import type { Agent } from 'node:http';
import {
  ClickHouseError,
  createClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
} from '@clickhouse/client';
import {
  DatabaseError,
  InterruptedError,
  WarehouseAwayError,
  type Analytics,
  type Params,
  type QueryOptions,
  type Row,
} from '../../db/db.ts';
import type { WarehouseAddress } from '../../lib/warehouse-address.ts';
import { timeLimit } from '../../lib/time-limit.ts';
import { valueReader } from './read-value.ts';
import { schemaStatements, type WarehouseDictionaries, type WarehouseTableName } from './schema.ts';

export interface Clickhouse {
  readonly database: string;
  /** Creates what is missing of the database. Throws as `run`. */
  prepare(): Promise<void>;
  /** Runs a statement for its effect. Throws DatabaseError. */
  run(sql: string): Promise<void>;
  /** Appends the rows of a Parquet file to a table. */
  insert(table: WarehouseTableName, file: string): Promise<void>;
  insertRows(table: WarehouseTableName, rows: readonly object[]): Promise<void>;
  /** Deletes rows, on all shards of a cluster. Throws as `run`. */
  deleteRows(table: WarehouseTableName, where: string): Promise<void>;
  /** Deletes all rows of a table. Throws as `run`. */
  empty(table: WarehouseTableName): Promise<void>;
  /** Statements of questions; columns are named c0, c1… in their order. */
  readonly analytics: Pick<Analytics, 'all' | 'stream'>;
  close(): Promise<void>;
}

/** As PostHog sets them (`posthog/hogql/constants.py`), and so that values come as they are stored. */
const QUESTION: ClickHouseSettings = {
  final: 1,
  do_not_merge_across_partitions_select_final: 1,
  transform_null_in: 1,
  join_use_nulls: 0,
  // What is 1 or 1.5, such as `if(a, 1, 1.5)`, is grouped and sorted by as elsewhere.
  allow_suspicious_types_in_group_by: 1,
  allow_suspicious_types_in_order_by: 1,
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
  max_query_size: '10000000',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
  output_format_json_named_tuples_as_objects: 0,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
  // It makes `min(x - 1)` of no rows `min(x) - 1`, which is -1 where x is never NULL (docs/differences.md).
  optimize_arithmetic_operations_in_aggregate_functions: 0,
};
const OF_CLUSTER: ClickHouseSettings = { distributed_product_mode: 'global', prefer_global_in_and_join: 1 };
const INSERT: ClickHouseSettings = {
  async_insert: 0,
  session_timezone: 'UTC',
  max_partitions_per_insert_block: '0',
  input_format_parquet_case_insensitive_column_matching: 1,
};

const DEFAULT_TIMEOUT_MS = 60_000;
/** Of statements that are not questions. */
const STATEMENT_MS = 600_000;
const PIECE_ROWS = 2_048;

/** Connects when it is first used, by an agent that checks addresses (`outsideAgent`). */
export function connectToClickhouse(
  { url, user, password, database, cluster }: WarehouseAddress,
  { agent, dictionaries }: { agent: Agent; dictionaries: WarehouseDictionaries },
): Clickhouse {
  const client = createClient({
    url,
    username: user,
    password,
    http_agent: agent,
    request_timeout: STATEMENT_MS,
    application: 'burrow',
    compression: { request: false, response: true },
    log: { level: ClickHouseLogLevel.OFF },
  });
  const ofCluster = cluster === null ? {} : OF_CLUSTER;

  async function run(sql: string): Promise<void> {
    await sending(client.command({ query: sql, clickhouse_settings: { ...INSERT, ...ofCluster } }));
  }

  /** A table where its rows are: a table over all shards deletes nothing. */
  function onShards(table: WarehouseTableName): string {
    return cluster === null ? `${database}.${table}` : `${database}.${table}_local ON CLUSTER '${cluster}'`;
  }

  async function* stream<T = Row>(
    sql: string,
    params: Params = {},
    options: QueryOptions = {},
  ): AsyncIterable<T[]> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
    const limit = timeLimit(timeoutMs + 1_000);
    try {
      const found = await client.query({
        query: sql,
        query_params: params as Record<string, unknown>,
        format: 'JSONCompactEachRowWithNamesAndTypes',
        abort_signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        clickhouse_settings: {
          ...QUESTION,
          ...ofCluster,
          max_execution_time: Math.ceil(timeoutMs / 1_000),
          cancel_http_readonly_queries_on_client_close: 1,
        },
      });
      let head = 0;
      let readers: ReturnType<typeof valueReader>[] = [];
      let rows: T[] = [];
      for await (const lines of found.stream()) {
        for (const line of lines) {
          const values = line.json<unknown[]>();
          head += 1;
          if (head === 2) readers = (values as string[]).map(valueReader);
          if (head > 2)
            rows.push(Object.fromEntries(values.map((value, at) => [`c${at}`, readers[at]!(value)])) as T);
          if (rows.length >= PIECE_ROWS) {
            yield rows;
            rows = [];
          }
        }
      }
      if (rows.length > 0) yield rows;
    } catch (error) {
      if (signal?.aborted || limit.aborted) throw new InterruptedError('The statement was interrupted');
      throw errorOf(error);
    }
  }

  return {
    database,
    run,
    async prepare() {
      for (const statement of schemaStatements({ database, cluster, user, password, dictionaries }))
        await run(statement);
    },
    deleteRows: (table, where) => run(`DELETE FROM ${onShards(table)} WHERE ${where}`),
    empty: (table) => run(`TRUNCATE TABLE ${onShards(table)}`),
    async insert(table, file) {
      await sending(
        client.insert({
          table: `${database}.${table}`,
          values: createReadStream(file),
          format: 'Parquet',
          clickhouse_settings: INSERT,
        }),
      );
    },
    async insertRows(table, values) {
      if (values.length === 0) return;
      const name = `${database}.${table}`;
      await sending(
        client.insert({ table: name, values, format: 'JSONEachRow', clickhouse_settings: INSERT }),
      );
    },
    analytics: {
      stream,
      async all<T = Row>(sql: string, params?: Params, options?: QueryOptions) {
        const rows: T[] = [];
        for await (const piece of stream<T>(sql, params, options)) rows.push(...piece);
        return rows;
      },
    },
    close: () => client.close(),
  };
}

async function sending(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    throw errorOf(error);
  }
}

/** DuckDB's words, where it has any, for what ClickHouse's codes mean: what follows from them is in one place (query-errors.ts). */
const MEANINGS: Readonly<Record<string, string>> = {
  '6': 'Conversion Error',
  '27': 'Conversion Error',
  '36': 'Invalid Input Error',
  '38': 'Conversion Error',
  '41': 'Conversion Error',
  '43': 'Binder Error',
  '46': 'Unknown Function',
  '53': 'Binder Error',
  '69': 'Out of Range Error',
  '70': 'Conversion Error',
  '72': 'Conversion Error',
  '153': 'Invalid Input Error',
  '241': 'Out of Memory',
  '386': 'Binder Error',
  '407': 'Out of Range Error',
};

function errorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof ClickHouseError)) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isAway = /^E[A-Z_]+$/.test(code) || /timeout|hang up|aborted/i.test(message);
    return isAway
      ? new WarehouseAwayError(`ClickHouse does not answer: ${message}`)
      : new DatabaseError(message);
  }
  if (error.code === '159') return new InterruptedError('The time limit of the query has passed');
  return new DatabaseError(`${MEANINGS[error.code] ?? 'ClickHouse'}: ${error.message} (code ${error.code})`);
}

import type { HogqlNotice } from '../../server/features/query/kinds/hogql-metadata/hogql-metadata.contract.ts';
import type { QueryAnswerJson } from '../../server/features/query/query.contract.ts';
import { request, requestFile } from './http.ts';

export type QueryAnswer = QueryAnswerJson;
export type { HogqlNotice };
export type DatabaseSchema = Pick<Required<QueryAnswerJson>, 'tables' | 'functions'>;
export type SchemaTable = DatabaseSchema['tables'][string];
export type SchemaField = SchemaTable['fields'][string];
export type SchemaFunction = DatabaseSchema['functions'][number];

/** A query of any kind (management contract 9.9). */
export interface QueryNode {
  kind: string;
  [key: string]: unknown;
}

export type ExportFormat = 'csv' | 'json' | 'parquet';

const queryOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/query/${rest}`;

/** Runs a query; aborting `signal` cancels it on the server too. */
export function askQuery(
  projectId: number,
  query: QueryNode,
  {
    signal,
    refresh,
    filters,
    variables,
  }: {
    signal?: AbortSignal;
    refresh?: 'blocking' | 'force_blocking';
    /** What a dashboard lays over it. */
    filters?: Readonly<Record<string, unknown>> | undefined;
    variables?: Readonly<Record<string, unknown>> | undefined;
  } = {},
): Promise<QueryAnswer> {
  return request(queryOf(projectId), {
    method: 'POST',
    body: {
      query,
      refresh,
      filters_override: filters,
      variables_override: variables,
    },
    ...(signal && { signal }),
  });
}

/** All that a query answers, as a file. */
export function exportQuery(projectId: number, query: QueryNode, format: ExportFormat): Promise<Blob> {
  return requestFile(`/api/projects/${projectId}/burrow/query/export/`, {
    method: 'POST',
    body: { query, format },
  });
}

/** What is wrong with a text of HogQL, without running it. */
export async function checkHogql(
  projectId: number,
  query: string,
  values: Readonly<Record<string, unknown>>,
): Promise<HogqlNotice[]> {
  const { errors = [] } = await askQuery(projectId, {
    kind: 'HogQLMetadata',
    language: 'hogQL',
    query,
    values,
  });
  return errors;
}

/** The tables and functions of HogQL. */
export async function readSchema(projectId: number): Promise<DatabaseSchema> {
  const { tables = {}, functions = [] } = await askQuery(projectId, { kind: 'DatabaseSchemaQuery' });
  return { tables, functions };
}

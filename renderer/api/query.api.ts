import type { HogqlNotice } from '../../server/features/query/kinds/hogql-metadata/hogql-metadata.contract.ts';
import type { ExportFormat, QueryAnswerJson, QueryNode } from '../../server/features/query/query.contract.ts';
import { addressOf, api } from './client.ts';
import { requestFile } from './http.ts';

export type DatabaseSchema = Pick<Required<QueryAnswerJson>, 'tables' | 'functions'>;

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
): Promise<QueryAnswerJson> {
  return api.post('P/query/', {
    projectId,
    body: {
      query,
      refresh,
      filters_override: filters,
      variables_override: variables as Readonly<Record<string, Record<string, unknown>>> | undefined,
    },
    signal,
  });
}

/** All that a query answers, as a file. */
export function exportQuery(projectId: number, query: QueryNode, format: ExportFormat): Promise<Blob> {
  return requestFile(addressOf('P/burrow/query/export/', { projectId }), {
    method: 'POST',
    body: { query, format },
  });
}

/** What is wrong with a text of HogQL, a query or one expression over events, without running it. */
export async function checkHogql(
  projectId: number,
  query: string,
  values: Readonly<Record<string, unknown>> = {},
  language: 'hogQL' | 'hogQLExpr' = 'hogQL',
): Promise<HogqlNotice[]> {
  const { errors = [] } = await askQuery(projectId, {
    kind: 'HogQLMetadata',
    language,
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

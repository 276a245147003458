import { z } from 'zod';
import { booleanField, parameter } from '../../http/fields.contract.ts';
import { actorsOptionsFields } from './kinds/actors-options/actors-options.contract.ts';
import { databaseSchemaFields } from './kinds/database-schema/database-schema.contract.ts';
import { hogqlMetadataFields, hogqlNotice } from './kinds/hogql-metadata/hogql-metadata.contract.ts';

const MODES = ['force_cache', 'blocking', 'async', 'lazy_async', 'force_blocking', 'force_async'] as const;
/** True means force_blocking. */
const BOOLEANS = ['true', 'false', 'True', 'False', '1', '0'] as const;

/** Whether cached results are used (management contract 3.4, 9.9). */
export function refreshParameter() {
  return parameter(z.enum([...MODES, ...BOOLEANS]));
}

/** The same in a body, where true and false are JSON booleans too. */
export function refreshField() {
  return z.union([z.boolean(), z.enum([...MODES, ...BOOLEANS])]);
}
export type Refresh = z.output<ReturnType<typeof refreshField>>;

const object = z.record(z.string(), z.unknown());
const MAX_NAME_LENGTH = 128;
const MAX_ID_LENGTH = 200;

/** A query of any kind (management contract 9.9). */
export interface QueryNode {
  kind: string;
  [key: string]: unknown;
}

/** Request body of a query (management contract 9.9); the query itself is validated separately. */
const queryBody = z.object({
  query: z
    .unknown()
    .optional()
    .meta({
      description:
        'A node with a `kind`: HogQLQuery, EventsQuery, TrendsQuery, FunnelsQuery, RetentionQuery, and others; or a node with another one as its `source`.',
      example: { kind: 'HogQLQuery', query: 'SELECT event, count() FROM events GROUP BY event' },
    }),
  /**
   * `blocking` waits for the result, `async` returns a status to poll; `force_` always recomputes, `force_cache`
   * never.
   */
  refresh: refreshField().nullish(),
  /** The older form of `refresh: async`. */
  async: booleanField().nullish(),
  /** A name by which the query can be cancelled. */
  client_query_id: z.string().min(1).max(MAX_ID_LENGTH).nullish(),
  /** Dates that replace those of the query, and properties that are added. */
  filters_override: object.nullish(),
  /** Values of variables by their id, in place of those in the query. */
  variables_override: z.record(z.string(), object).nullish(),
  name: z.string().max(MAX_NAME_LENGTH).nullish(),
});
export type QueryBody = z.output<typeof queryBody>;

/** Request body of an export. */
const exportBody = queryBody
  .pick({ query: true, filters_override: true, variables_override: true })
  .extend({ format: z.enum(['csv', 'json', 'parquet']) });
export type ExportFormat = z.output<typeof exportBody>['format'];

const queryParams = z.object({ id: z.string().min(1).max(MAX_ID_LENGTH) });

const cancelled = z.strictObject({ message: z.string() });
const asyncAllowed = z.strictObject({ user: z.literal('ok') });
const upgraded = z.strictObject({ query: z.unknown() });

const instant = z.string();

/** The status of an async query. */
const queryStatus = z
  .strictObject({
    id: z.string(),
    team_id: z.int(),
    query_async: z.boolean(),
    complete: z.boolean(),
    error: z.boolean(),
    error_message: z.string().nullable(),
    /** The whole response, once it is complete. */
    results: z.unknown(),
    start_time: instant.nullable(),
    end_time: instant.nullable(),
    /** The time at which it expires. */
    expiration_time: instant.nullable(),
    task_id: z.string().nullable(),
    dashboard_id: z.int().nullable(),
    insight_id: z.int().nullable(),
    query_progress: z.unknown(),
    labels: z.array(z.string()).nullable(),
  })
  .meta({ id: 'QueryStatus' });
export type QueryStatusJson = z.output<typeof queryStatus>;

/** Body of every response about a running query. */
const queryStatusBody = z.strictObject({ query_status: queryStatus });

/** A warning about a query; `field`: a field without effect, which was stored before this version refused it. */
export const queryWarning = hogqlNotice.extend({ field: z.string().optional() });

export type QueryWarning = z.output<typeof queryWarning>;

const timing = z.strictObject({
  /** The step. */
  k: z.string(),
  /** Seconds. */
  t: z.number(),
});

/** The response of a query (management contract 9.9, 9.9.2); the fields in addition to `results` depend on its kind. */
const queryAnswer = z
  .strictObject({
    results: z.unknown(),
    columns: z.array(z.string()),
    /** Of HogQLQuery: pairs of name and type; of other tables: types. */
    types: z.array(z.unknown()),
    hasMore: z.boolean(),
    limit: z.int(),
    offset: z.int(),
    /** Of EventsQuery: `before` (or `after`, in ascending order) of the next page. */
    nextCursor: z.string().nullable(),
    /** Of WebOverviewQuery: its first and last second, in the project's time zone. */
    dateFrom: z.string(),
    dateTo: z.string(),
    /** Actors of a point that no longer exist. */
    missing_actors_count: z.int(),
    /** The query in HogQL; of several statements, separated by semicolons. */
    hogql: z.string().nullable(),
    /** As it was sent. */
    query: z.string().nullable(),
    explain: z.array(z.string()).nullable(),
    /** Of HogQLMetadata. */
    ...hogqlMetadataFields,
    warnings: z.array(queryWarning),
    /** Of DatabaseSchemaQuery. */
    ...databaseSchemaFields,
    /** Of InsightActorsQueryOptions. */
    ...actorsOptionsFields,
    metadata: z.unknown(),
    modifiers: z.unknown(),
    resolved_date_range: z.unknown(),
    isUdf: z.boolean(),
    /** Of a funnel: the median of the seconds from its first step to its last, of all groups together. */
    total_median_conversion_time: z.number().nullable(),
    error: z.string().nullable(),
    timings: z.array(timing),
    query_status: queryStatus.nullable(),
    is_cached: z.boolean(),
    /** When it was computed. */
    last_refresh: instant.nullable(),
    next_allowed_client_refresh: instant.nullable(),
    /** The same for equal queries. */
    cache_key: z.string().nullable(),
    cache_target_age: instant.nullable(),
    calculation_trigger: z.string().nullable(),
    /** The time zone of dates and of where a day begins. */
    timezone: z.string(),
  })
  .partial()
  .meta({ id: 'QueryAnswer' });
export type QueryAnswerJson = z.output<typeof queryAnswer>;

export const queryApi = {
  'POST P/burrow/query/export/': { body: exportBody, response: null },
  'POST P/query/': { body: queryBody, response: queryAnswer },
  'POST P/query/check_auth_for_async/': { response: asyncAllowed },
  'POST P/query/upgrade/': { body: queryBody.pick({ query: true }), response: upgraded },
  // The kind of the query; the router has one parameter name at this position.
  'POST P/query/:id/': { params: queryParams, body: queryBody, response: queryAnswer },
  'GET P/query/:id/': { params: queryParams, response: queryStatusBody },
  'DELETE P/query/:id/': { params: queryParams, response: cancelled },
};

import { z } from 'zod';
import { timeBoundField } from '../../http/date-time.contract.ts';
import {
  booleanField,
  freeTextField,
  integerField,
  jsonOrTextField,
  parameter,
  tagsField,
} from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { queryWarning, refreshField, refreshParameter, type QueryNode } from '../query/query.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const instant = z.string();
const level = z.literal([21, 37]);
const object = z.record(z.string(), z.unknown());

/** What an insight is, without what it answers: the form of `basic=true`. */
export const basicInsight = z.strictObject({
  id: z.int(),
  short_id: z.string(),
  name: z.string().nullable(),
  derived_name: z.string().nullable(),
  filters: object,
  query: (object as unknown as z.ZodType<QueryNode>).nullable(),
  /** Fields of the query that change nothing; only of queries that were stored before such fields were refused. */
  warnings: z.array(queryWarning).optional(),
  order: z.int().nullable(),
  deleted: z.boolean(),
  dashboards: z.array(z.int()),
  dashboard_tiles: z.array(
    z.strictObject({ id: z.int(), dashboard_id: z.int(), deleted: z.boolean().nullable() }),
  ),
  created_at: instant,
  created_by: embeddedUser.nullable(),
  description: z.string(),
  updated_at: instant,
  tags: z.array(z.string()),
  favorited: z.boolean(),
  saved: z.boolean(),
  last_modified_at: instant,
  last_modified_by: embeddedUser.nullable(),
  is_sample: z.boolean(),
  effective_restriction_level: level,
  effective_privilege_level: level,
  /** Null for anonymous viewers. */
  user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']).nullable(),
});
export type BasicInsightJson = z.output<typeof basicInsight>;

/** What an insight answers; nothing while it was not computed. */
const answerShape = {
  last_refresh: instant.nullable(),
  cache_target_age: instant.nullable(),
  next_allowed_client_refresh: instant.nullable(),
  result: z.unknown(),
  hasMore: z.boolean().nullable(),
  columns: z.array(z.string()).nullable(),
  timezone: z.string().nullable(),
  is_cached: z.boolean(),
  query_status: object.nullable(),
  hogql: z.string().nullable(),
  types: z.array(z.unknown()).nullable(),
  filters_hash: z.string().nullable(),
};
export type InsightAnswer = z.output<z.ZodObject<typeof answerShape>>;

/** An insight (management contract 9.6). */
export const insight = basicInsight
  .extend({
    ...answerShape,
    /** Its view on the dashboard of `from_dashboard`. */
    color: z.string().nullable().optional(),
    layouts: object.optional(),
  })
  .meta({ id: 'Insight' });
export type InsightJson = z.output<typeof insight>;

/** Fields of the short form (`basic`) or the full form. */
const anyInsight = z.union([insight, basicInsight]);
export const insightPage = pageSchema(anyInsight);
const insightList = z.array(insight);

const MAX_NAME_LENGTH = 400;
/** The database keeps 32 bits. */
const MAX_POSITION = 2_147_483_647;

const position = integerField().pipe(z.int().min(-MAX_POSITION).max(MAX_POSITION));

/** Body of POST, PATCH and PUT. `query` is checked later: the error of an invalid one names no field (management contract 9.6). */
export const writeInsightBody = z.object({
  name: freeTextField(MAX_NAME_LENGTH).nullish(),
  derived_name: freeTextField(MAX_NAME_LENGTH).nullish(),
  description: freeTextField().nullish(),
  /** Legacy filters: stored, and converted to a query. */
  filters: object.nullish(),
  query: z
    .unknown()
    .optional()
    .meta({
      description:
        'A node with a `kind`, such as InsightVizNode, TrendsQuery or HogQLQuery; null removes it.',
      example: {
        kind: 'InsightVizNode',
        source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
      },
    }),
  order: position.nullish(),
  /** The new list of dashboards; the insight is removed from others. */
  dashboards: z.array(integerField()).optional(),
  tags: tagsField().optional(),
  favorited: booleanField().optional(),
  saved: booleanField().optional(),
  deleted: booleanField().optional(),
});
export type WriteInsightBody = z.output<typeof writeInsightBody>;

/** An id, or a short id. */
const insightParams = z.object({ id: z.string() });

/** Of POST, PATCH and PUT. */
const writeInsightQuery = z.object({ refresh: refreshParameter() });

const showInsightQuery = z.object({
  /** A dashboard whose filters apply; it says how it shows the insight. */
  from_dashboard: parameter(integerField()),
  basic: parameter(booleanField()),
  refresh: refreshParameter(),
});

/** Ids as one, several separated by commas, or a JSON list. */
const ids = z.string().transform((text, context): number[] => {
  const numbers = text
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((item) => item.trim().replace(/^"(.*)"$/s, '$1'));
  if (numbers.every((item) => item === '')) return [];
  if (numbers.every((item) => /^\d{1,15}$/.test(item))) return numbers.map(Number);
  context.addIssue({
    code: 'custom',
    message: 'This must be a JSON list of ids, such as [1, 2].',
    input: text,
  });
  return z.NEVER;
});

function listInsightsQuery(types: readonly string[]) {
  return z.object({
    short_id: parameter(z.string()),
    created_by: parameter(ids),
    /** True: saved, or on a dashboard. */
    saved: parameter(booleanField()),
    favorited: parameter(booleanField()),
    /** True: one's own. */
    user: parameter(booleanField()),
    /** In names, descriptions and tags. */
    search: parameter(z.string()),
    /** Of the last change of content: ISO 8601, a day, or a time before now such as `-7d`. */
    date_from: parameter(timeBoundField()),
    date_to: parameter(timeBoundField()),
    insight: parameter(z.enum(types)),
    /** A JSON list of IDs: insights that are on all of them. */
    dashboards: parameter(ids),
    /** The key of a flag that the query reads. */
    feature_flag: parameter(z.string()),
    /** Fields separated by commas, `-` for descending; unknown ones are ignored. */
    order: parameter(z.string()),
    basic: parameter(booleanField()),
    refresh: refreshParameter(),
  });
}
export type ListInsightsQuery = z.output<ReturnType<typeof listInsightsQuery>>;

/** Legacy filters; `refresh` is the refresh mode. */
export const legacyFilters = z.looseObject({ refresh: refreshField().nullish() });
/** The same as parameters, where lists and objects are JSON. */
export const legacyFiltersQuery = z.object({ refresh: refreshParameter() }).catchall(jsonOrTextField());

/** What old filters answer, without an insight (management contract 9.6). */
export const legacyAnswer = z.strictObject({
  ...answerShape,
  /** There are no further pages. */
  next: z.null(),
});

/** Insights whose last query failed, latest first. */
const failedInsights = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.int(),
      short_id: z.string(),
      name: z.string().nullable(),
      /** Its dashboards. */
      dashboards: z.array(z.int()),
      /** Why there is no answer. */
      message: z.string(),
      failed_at: z.iso.datetime(),
    }),
  ),
});
export type FailedInsightJson = z.output<typeof failedInsights>['results'][number];

/** The list; `types` are the names of kinds by which it can be filtered. */
export const insightListApi = (types: readonly string[]) => ({
  'GET P/insights/': { query: listInsightsQuery(types), response: insightPage },
});

export const insightsApi = {
  'PATCH P/insights/:id/': {
    params: insightParams,
    query: writeInsightQuery,
    body: writeInsightBody,
    response: insight,
  },
  'PUT P/insights/:id/': {
    params: insightParams,
    query: writeInsightQuery,
    body: writeInsightBody,
    response: insight,
  },
  'POST P/insights/': { query: writeInsightQuery, body: writeInsightBody, response: insight },
  'GET P/burrow/failed_insights/': { response: failedInsights },
  'GET P/insights/my_last_viewed/': { response: insightList },
  'GET P/insights/:id/': { params: insightParams, query: showInsightQuery, response: anyInsight },
  'POST P/insights/:id/viewed/': { params: insightParams, response: null },
};

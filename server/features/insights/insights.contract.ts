import { z } from 'zod';
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
  query: object.nullable(),
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
  /** Null where nobody is signed in. */
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
export const insight = basicInsight.extend({
  ...answerShape,
  /** How the dashboard shows it that was asked for by `from_dashboard`. */
  color: z.string().nullable().optional(),
  layouts: object.optional(),
});
export type InsightJson = z.output<typeof insight>;

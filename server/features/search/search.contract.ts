import { z } from 'zod';
import { booleanField, integerField, parameter } from '../../http/fields.contract.ts';

/** Kinds of objects that PostHog's search has, in its order; of those that Burrow lacks, nothing is found. */
export const POSTHOG_KINDS: readonly string[] = [
  'insight',
  'dashboard',
  'experiment',
  'feature_flag',
  'notebook',
  'action',
  'cohort',
  'event_definition',
  'property_definition',
  'survey',
  'early_access_feature',
  'hog_flow',
];

const MAX_QUERY_LENGTH = 400;
const MAX_PER_KIND = 25;

/**
 * `entities` may be given several times, or as one list with commas; absent: all. With `limit_per_kind`, which PostHog
 * lacks, so many of each kind are found, instead of 25 of all.
 */
const searchQuery = z.object({
  q: parameter(z.string().max(MAX_QUERY_LENGTH)),
  entities: parameter(z.string()),
  include_counts: parameter(booleanField()),
  limit_per_kind: parameter(integerField().pipe(z.int().min(1).max(MAX_PER_KIND))),
});

/** Results of these kinds of objects. */
export function searchResults(kinds: readonly string[]) {
  const kind = z.enum(kinds);
  return z.strictObject({
    results: z.array(
      z.strictObject({
        type: kind,
        /** The id; of an insight its `short_id`. */
        result_id: z.string(),
        extra_fields: z.strictObject({
          name: z.string().nullable(),
          description: z.string().optional(),
          /** Of a feature flag, whose name says what it is for. */
          key: z.string().optional(),
          /** Of an insight. */
          derived_name: z.string().nullable().optional(),
          query: z.record(z.string(), z.unknown()).nullable().optional(),
          /** Of a property: whose it is, `event`, `person` or `group`. */
          type: z.string().optional(),
          group_type_index: z.int().nullable().optional(),
        }),
        /** From 0 to 1, 1: it is named so; null when nothing was looked for. */
        rank: z.number().nullable(),
      }),
    ),
    /** Number of results of each kind; null: not requested, or not readable with this key. */
    counts: z.record(kind, z.int().nullable()).optional(),
  });
}
export type SearchResults = z.output<ReturnType<typeof searchResults>>;

/** The search; `kinds` are those of what is registered. */
export const searchApi = (kinds: readonly string[]) => ({
  'GET P/search/': { query: searchQuery, response: searchResults(kinds) },
});

import { z } from 'zod';
import { booleanField } from '../../../http/fields.contract.ts';
import { refreshField } from './refresh.contract.ts';

const object = z.record(z.string(), z.unknown());
const MAX_NAME_LENGTH = 128;
const MAX_ID_LENGTH = 200;

/** Request body of a query (management contract 9.9); the query itself is validated separately. */
export const queryBody = z.object({
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
  /** The older word for `refresh: async`. */
  async: booleanField().nullish(),
  /** A name by which the query can be cancelled. */
  client_query_id: z.string().min(1).max(MAX_ID_LENGTH).nullish(),
  /** Dates and properties that apply beside those of the query. */
  filters_override: object.nullish(),
  /** Values of variables by their id, in place of those in the query. */
  variables_override: z.record(z.string(), object).nullish(),
  name: z.string().max(MAX_NAME_LENGTH).nullish(),
});
export type QueryBody = z.output<typeof queryBody>;

/** Request body of an export. */
export const exportBody = queryBody
  .pick({ query: true, filters_override: true, variables_override: true })
  .extend({ format: z.enum(['csv', 'json', 'parquet']) });

export const queryParams = z.object({ id: z.string().min(1).max(MAX_ID_LENGTH) });

export const cancelled = z.strictObject({ message: z.string() });
export const asyncAllowed = z.strictObject({ user: z.literal('ok') });
export const upgraded = z.strictObject({ query: z.unknown() });

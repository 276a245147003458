import { z } from 'zod';
import { describe, ON_EVERY_NODE } from '../query-object.contract.ts';
import { hogqlQuery } from '../table-kinds.contract.ts';

/** What an editor asks about a text while it is written. */
export const hogqlMetadataQuery = describe(
  z.looseObject({
    kind: z.literal('HogQLMetadata'),
    /** A query, or an expression over events. */
    language: z.enum(['hogQL', 'hogQLExpr']).nullish(),
    query: z.string(),
    filters: hogqlQuery.shape.filters,
    values: hogqlQuery.shape.values,
    variables: hogqlQuery.shape.variables,
  }),
  {
    name: 'HogQLMetadata',
    withoutEffect: ON_EVERY_NODE,
    notSupported: ['connectionId', 'sourceQuery', 'globals', 'debug'],
  },
);

/** A remark on a part of a text; offsets in UTF-16 units, null when it is about the whole. */
export const hogqlNotice = z.strictObject({
  message: z.string(),
  start: z.int().nullable(),
  end: z.int().nullable(),
});

/** The metadata of a text, in addition to the fields of every response. */
export const hogqlMetadataFields = {
  isValid: z.boolean(),
  errors: z.array(hogqlNotice),
  warnings: z.array(hogqlNotice),
  notices: z.array(hogqlNotice),
  table_names: z.array(z.string()),
};
export type HogqlNotice = z.output<typeof hogqlNotice>;

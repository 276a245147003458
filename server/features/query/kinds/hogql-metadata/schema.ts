import { z } from 'zod';
import { describe, ON_EVERY_NODE } from '../../node-schema.ts';
import { hogqlQuery } from '../hogql/schema.ts';

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

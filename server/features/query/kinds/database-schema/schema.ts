import { z } from 'zod';
import { describe, ON_EVERY_NODE } from '../../node-schema.ts';

/** Asks which tables and columns there are. */
export const databaseSchemaQuery = describe(z.looseObject({ kind: z.literal('DatabaseSchemaQuery') }), {
  name: 'DatabaseSchemaQuery',
  withoutEffect: ON_EVERY_NODE,
  notSupported: ['connectionId'],
});

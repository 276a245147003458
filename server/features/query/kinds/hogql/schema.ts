import { z } from 'zod';
import { propertyNodes, describe, ON_EVERY_NODE, dateRange, flag } from '../../node-schema.ts';

/** What a query says of a variable, by the variable's id. */
const variable = describe(
  z.looseObject({
    variableId: z.string().nullish(),
    code_name: z.string().nullish(),
    value: z.unknown().optional(),
    isNull: flag,
  }),
  { name: 'variable' },
);

export const hogqlQuery = describe(
  z.looseObject({
    kind: z.literal('HogQLQuery'),
    query: z.string(),
    filters: describe(
      z.looseObject({
        properties: propertyNodes.nullish(),
        dateRange: dateRange.nullish(),
        filterTestAccounts: flag,
      }),
      { name: 'filters' },
    ).nullish(),
    values: z.record(z.string(), z.unknown()).nullish(),
    variables: z.record(z.string(), variable).nullish(),
    explain: flag,
    name: z.string().nullish(),
  }),
  {
    name: 'HogQLQuery',
    withoutEffect: ON_EVERY_NODE,
    notSupported: ['connectionId', 'sendRawQuery'],
  },
);
export type HogqlQuery = z.output<typeof hogqlQuery>;

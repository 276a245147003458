import { z, type output } from 'zod';
import {
  filterList,
  propertyNodes,
  describe,
  ON_EVERY_NODE,
  sourceQuery,
  expressions,
  flag,
  pageFields,
} from '../../node-schema.ts';

/** PersonsQuery is its older name. */
export const actorsQuery = describe(
  z.looseObject({
    kind: z.enum(['ActorsQuery', 'PersonsQuery']),
    /** The query whose persons are listed, with the point picked; none: all persons. */
    source: sourceQuery.nullish(),
    select: expressions.nullish(),
    search: z.string().nullish(),
    properties: propertyNodes.nullish(),
    fixedProperties: filterList.nullish(),
    filterTestAccounts: flag,
    orderBy: expressions.nullish(),
    ...pageFields,
  }),
  { name: 'ActorsQuery', withoutEffect: ON_EVERY_NODE },
);

export type ActorsQuery = output<typeof actorsQuery>;

import { z } from 'zod';
import { laxInteger } from '../../../../http/lax-fields.contract.ts';
import { stepBody } from '../../../actions/index.ts';
import {
  filterList,
  propertyNodes,
  describe,
  ON_EVERY_NODE,
  expressions,
  texts,
  pageFields,
  flag,
  sourceQuery,
} from '../../node-schema.ts';

export const eventsQuery = describe(
  z.looseObject({
    kind: z.literal('EventsQuery'),
    select: expressions.min(1),
    where: expressions.nullish(),
    event: z.string().nullish(),
    events: texts.nullish(),
    properties: propertyNodes.nullish(),
    fixedProperties: filterList.nullish(),
    after: z.string().nullish(),
    before: z.string().nullish(),
    orderBy: expressions.nullish(),
    ...pageFields,
    personId: z.string().nullish(),
    actionId: laxInteger(z.int()).nullish(),
    /** Steps of an action that is not stored. */
    actionSteps: z.array(stepBody).nullish(),
    filterTestAccounts: flag,
    source: sourceQuery.nullish(),
  }),
  { name: 'EventsQuery', withoutEffect: ON_EVERY_NODE },
);
export type EventsQuery = z.output<typeof eventsQuery>;

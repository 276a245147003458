import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../http/lax-fields.contract.ts';
import { stepBody } from '../../actions/actions.contract.ts';
import { dateRange } from './insight-query.contract.ts';
import { filterList, propertyNodes } from './property-nodes.contract.ts';
import {
  describe,
  namesVirtualProperty,
  nestedQuery,
  ON_EVERY_NODE,
  refusing,
} from './query-object.contract.ts';

const texts = z.array(z.string());
/** Each piece of HogQL is parsed by itself: more of them are a mistake or an attack. */
const MOST_EXPRESSIONS = 1_000;
const expressions = z.array(refusing(z.string(), namesVirtualProperty)).max(MOST_EXPRESSIONS);
const rows = { limit: laxInteger(z.int().min(0)).nullish(), offset: laxInteger(z.int().min(0)).nullish() };
const flag = laxBoolean().nullish();
const source = nestedQuery({ withPoint: true });

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
    query: refusing(z.string(), namesVirtualProperty),
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
    ...rows,
    personId: z.string().nullish(),
    actionId: laxInteger(z.int()).nullish(),
    /** Steps of an action that is not stored. */
    actionSteps: z.array(stepBody).nullish(),
    filterTestAccounts: flag,
    source: source.nullish(),
  }),
  { name: 'EventsQuery', withoutEffect: ON_EVERY_NODE },
);
export type EventsQuery = z.output<typeof eventsQuery>;

/** PersonsQuery is its older name. */
export const actorsQuery = describe(
  z.looseObject({
    kind: z.enum(['ActorsQuery', 'PersonsQuery']),
    /** The query whose persons are listed, with the point picked; none: all persons. */
    source: source.nullish(),
    select: expressions.nullish(),
    search: z.string().nullish(),
    properties: propertyNodes.nullish(),
    fixedProperties: filterList.nullish(),
    filterTestAccounts: flag,
    orderBy: expressions.nullish(),
    ...rows,
  }),
  { name: 'ActorsQuery', withoutEffect: ON_EVERY_NODE },
);

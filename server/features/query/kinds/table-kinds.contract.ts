import { z } from 'zod';
import { stepBody } from '../../actions/actions.contract.ts';
import { dateRange } from './insight-query.contract.ts';
import { propertyNodes } from './property-nodes.contract.ts';

const texts = z.array(z.string());
/** Each piece of HogQL is parsed by itself: more of them are a mistake or an attack. */
const MOST_EXPRESSIONS = 1_000;
const expressions = texts.max(MOST_EXPRESSIONS);
const rows = { limit: z.int().min(0).nullish(), offset: z.int().min(0).nullish() };

export const hogqlQuery = z.looseObject({
  kind: z.literal('HogQLQuery'),
  query: z.string(),
  filters: z
    .looseObject({
      properties: propertyNodes.nullish(),
      dateRange: dateRange.nullish(),
      filterTestAccounts: z.boolean().nullish(),
    })
    .nullish(),
  values: z.record(z.string(), z.unknown()).nullish(),
  variables: z.record(z.string(), z.looseObject({})).nullish(),
  explain: z.boolean().nullish(),
  name: z.string().nullish(),
});
export type HogqlQuery = z.output<typeof hogqlQuery>;

export const eventsQuery = z.looseObject({
  kind: z.literal('EventsQuery'),
  select: expressions.min(1),
  where: expressions.nullish(),
  event: z.string().nullish(),
  events: texts.nullish(),
  properties: propertyNodes.nullish(),
  fixedProperties: z.array(z.looseObject({})).nullish(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  orderBy: expressions.nullish(),
  ...rows,
  personId: z.string().nullish(),
  actionId: z.int().nullish(),
  /** Steps of an action that is not stored. */
  actionSteps: z.array(stepBody).nullish(),
  filterTestAccounts: z.boolean().nullish(),
  source: z.looseObject({}).nullish(),
});
export type EventsQuery = z.output<typeof eventsQuery>;

/** PersonsQuery is its older name. */
export const actorsQuery = z.looseObject({
  kind: z.enum(['ActorsQuery', 'PersonsQuery']),
  /** The query whose persons are listed, with the point picked; none: all persons. */
  source: z.looseObject({ kind: z.string() }).nullish(),
  select: expressions.nullish(),
  search: z.string().nullish(),
  properties: propertyNodes.nullish(),
  fixedProperties: z.array(z.looseObject({})).nullish(),
  orderBy: expressions.nullish(),
  ...rows,
});

import { z } from 'zod';
import { dateRange } from './insight-query.contract.ts';
import { propertyNodes } from './property-nodes.contract.ts';

const texts = z.array(z.string());
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

export const eventsQuery = z.looseObject({
  kind: z.literal('EventsQuery'),
  select: texts.min(1),
  where: texts.nullish(),
  event: z.string().nullish(),
  events: texts.nullish(),
  properties: propertyNodes.nullish(),
  fixedProperties: z.array(z.looseObject({})).nullish(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  orderBy: texts.nullish(),
  ...rows,
  personId: z.string().nullish(),
  actionId: z.int().nullish(),
  actionSteps: z.array(z.looseObject({})).nullish(),
  filterTestAccounts: z.boolean().nullish(),
  source: z.looseObject({}).nullish(),
});

/** PersonsQuery is its older name. */
export const actorsQuery = z.looseObject({
  kind: z.enum(['ActorsQuery', 'PersonsQuery']),
  /** The query whose persons are listed, with the point picked; none: all persons. */
  source: z.looseObject({ kind: z.string() }).nullish(),
  select: texts.nullish(),
  search: z.string().nullish(),
  properties: propertyNodes.nullish(),
  fixedProperties: z.array(z.looseObject({})).nullish(),
  orderBy: texts.nullish(),
  ...rows,
});

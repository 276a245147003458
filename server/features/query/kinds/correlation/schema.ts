import { z } from 'zod';
import { laxBoolean } from '../../../../http/lax-fields.contract.ts';
import {
  describe,
  ON_EVERY_NODE,
  propertyList,
  seriesOf,
  sourceQuery,
  texts,
  UNUSED,
  PERSONS,
} from '../../node-schema.ts';

/** What converted persons have more often than others: events, events with a property, or properties of their own. */
export const correlationQuery = describe(
  z.looseObject({
    kind: z.literal('FunnelCorrelationQuery'),
    /** A FunnelsActorsQuery: those who took its step, the first by default. */
    source: sourceQuery,
    funnelCorrelationType: z.enum(['events', 'properties', 'event_with_properties']),
    /** Properties of persons or groups; `$all`: all of them. */
    funnelCorrelationNames: texts.nullish(),
    funnelCorrelationExcludeNames: texts.nullish(),
    funnelCorrelationExcludeEventNames: texts.nullish(),
    /** Events whose properties are compared. */
    funnelCorrelationEventNames: texts.nullish(),
    funnelCorrelationEventExcludePropertyNames: texts.nullish(),
  }),
  { name: 'FunnelCorrelationQuery', withoutEffect: ON_EVERY_NODE },
);

export type CorrelationQuery = z.output<typeof correlationQuery>;

const personEntity = seriesOf(PERSONS, { unused: [...UNUSED, 'custom_name'], alone: {} });

/** Picks persons of a correlation: those with an event, or with values of properties, who converted or did not. */
export const correlationPoint = {
  funnelCorrelationPersonConverted: laxBoolean().nullish(),
  funnelCorrelationPersonEntity: personEntity.nullish(),
  funnelCorrelationPropertyValues: propertyList.nullish(),
};

import { z } from 'zod';
import { booleanField, parameter } from '../../http/fields.contract.ts';

const sessionProperty = z
  .object({
    id: z.string(),
    name: z.string(),
    property_type: z.enum(['String', 'Numeric', 'DateTime', 'Boolean']),
    is_numerical: z.boolean(),
    /** Sessions have all properties, whatever their events. */
    is_seen_on_filtered_events: z.null(),
    tags: z.array(z.string()),
  })
  .meta({ id: 'SessionProperty' });
export type SessionPropertyJson = z.output<typeof sessionProperty>;

export const sessionProperties = z.object({ count: z.int(), results: z.array(sessionProperty) });

const sessionValues = z.object({
  results: z.array(z.object({ name: z.string() })),
  refreshing: z.literal(false),
});
export type SessionValueJson = z.output<typeof sessionValues>['results'][number];

export const sessionsApi = {
  'GET P/sessions/property_definitions/': {
    query: z.object({ search: parameter(z.string()), is_numerical: parameter(booleanField()) }),
    response: sessionProperties,
  },
  'GET P/sessions/values/': {
    query: z.object({ key: parameter(z.string()), value: parameter(z.string()) }),
    response: sessionValues,
  },
};

import { z } from 'zod';
import { booleanField, parameter } from '../../http/fields.contract.ts';

/**
 * Query of `GET P/events/values/` (management contract 7.4). `event_name`, which may be there several times, and
 * `properties_<name>` are read by themselves.
 */
const eventValuesQuery = z.object({
  key: parameter(z.string()),
  value: parameter(z.string()),
  is_column: z.preprocess(
    (value) => (value === '' ? undefined : value),
    booleanField().default(false),
  ) as unknown as z.ZodDefault<z.ZodType<boolean, boolean>>,
});

const eventValues = z.array(z.object({ name: z.string() }));
export type EventValueJson = z.output<typeof eventValues>[number];

export const eventValuesApi = {
  'GET P/events/values/': { query: eventValuesQuery, response: eventValues.optional() },
};

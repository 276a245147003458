import { z } from 'zod';
import { booleanField } from '../../http/fields.contract.ts';

/** A parameter that is there but empty counts as absent. */
const absentWhenEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/**
 * Query of `GET P/events/values/` (management contract 7.4). `event_name`, which may be there several times, and
 * `properties_<name>` are read by themselves.
 */
export const eventValuesQuery = z.object({
  key: z.preprocess(absentWhenEmpty, z.string().optional()),
  value: z.preprocess(absentWhenEmpty, z.string().optional()),
  is_column: z.preprocess(absentWhenEmpty, booleanField().default(false)),
});

export const eventValues = z.array(z.object({ name: z.string() }));
export type EventValueJson = z.output<typeof eventValues>[number];

export const eventValuesApi = {
  'GET P/events/values/': { query: eventValuesQuery, response: eventValues.optional() },
};

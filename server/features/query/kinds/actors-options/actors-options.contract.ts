import { z } from 'zod';

const option = z.strictObject({ label: z.string(), value: z.union([z.string(), z.number()]) });

const options = z.array(option).nullable();

/** Fields of the response of InsightActorsQueryOptions: what a list of persons can be switched to; null: it has no such choice. */
export const actorsOptionsFields = {
  day: options,
  status: options,
  interval: options,
  breakdown: options,
  /** Of several properties, the values of each. */
  breakdowns: z.array(z.strictObject({ values: z.array(option) })).nullable(),
  series: options,
  compare: options,
};

export type ActorsOption = z.output<typeof option>;
export type ActorsOptions = z.output<z.ZodObject<typeof actorsOptionsFields>>;

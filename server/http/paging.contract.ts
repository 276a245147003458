import { z } from 'zod';

/** The envelope of a list whose items fit `item` (management contract 2.6). */
export function pageSchema<S extends z.ZodType>(item: S) {
  return z.strictObject({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });
}

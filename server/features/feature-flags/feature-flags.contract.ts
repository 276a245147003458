import { z } from 'zod';

/** Answer of local evaluation (ingestion contract 9.3). */
export const flagDefinitionsSchema = z.object({
  flags: z.array(z.record(z.string(), z.unknown())),
  group_type_mapping: z.record(z.string(), z.string()),
  cohorts: z.record(z.string(), z.unknown()),
});

export type FlagDefinitions = z.infer<typeof flagDefinitionsSchema>;

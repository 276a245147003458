import { z } from 'zod';

/** Answer of the public list of surveys (ingestion contract 10.5). */
export const surveysSchema = z.object({
  surveys: z.array(z.record(z.string(), z.unknown())),
  survey_config: z.record(z.string(), z.unknown()).nullable(),
});

export type Surveys = z.infer<typeof surveysSchema>;

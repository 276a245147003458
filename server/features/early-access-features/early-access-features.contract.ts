import { z } from 'zod';

/** Answer of the public list of early access features (ingestion contract 10.5). */
export const earlyAccessFeaturesSchema = z.object({
  earlyAccessFeatures: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      stage: z.string(),
      documentationUrl: z.string(),
      flagKey: z.string(),
      payload: z.unknown(),
    }),
  ),
});

export type EarlyAccessFeatures = z.infer<typeof earlyAccessFeaturesSchema>;

import { z } from 'zod';

/** What an SDK gets about a project before it captures anything (ingestion contract 10.2). */
export const remoteConfigSchema = z.object({
  token: z.string(),
  supportedCompression: z.array(z.string()),
  hasFeatureFlags: z.boolean(),
  captureDeadClicks: z.boolean(),
  capturePerformance: z.union([
    z.literal(false),
    z.object({
      network_timing: z.boolean(),
      web_vitals: z.boolean(),
      web_vitals_allowed_metrics: z.array(z.string()).nullable(),
    }),
  ]),
  autocapture_opt_out: z.boolean(),
  autocaptureExceptions: z.boolean(),
  analytics: z.object({ endpoint: z.string() }),
  elementsChainAsString: z.boolean(),
  errorTracking: z.object({
    autocaptureExceptions: z.boolean(),
    suppressionRules: z.array(z.unknown()),
  }),
  sessionRecording: z.union([z.literal(false), z.record(z.string(), z.unknown())]),
  heatmaps: z.boolean(),
  /** Beside flags it says only whether there are any. */
  surveys: z.union([z.boolean(), z.array(z.record(z.string(), z.unknown()))]),
  survey_config: z.record(z.string(), z.unknown()).nullable(),
  defaultIdentifiedOnly: z.boolean(),
  siteApps: z.array(z.unknown()),
});

export type RemoteConfig = z.infer<typeof remoteConfigSchema>;

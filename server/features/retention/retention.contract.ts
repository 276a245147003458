import { z } from 'zod';

const DAYS_MAX = 36_500;
const GB_MIN = 0.001;
const GB_MAX = 1_000_000;

/** What a project keeps, at most; null or left out: no limit. 1 GB is 1,000,000,000 estimated bytes. */
const retentionBody = z.object({
  max_days: z.int().min(1).max(DAYS_MAX).nullable().default(null),
  max_gb: z.number().min(GB_MIN).max(GB_MAX).nullable().default(null),
});
export type RetentionBody = z.output<typeof retentionBody>;

const instant = z.string().nullable();

const storedEvents = { events: z.int(), oldest: instant, newest: instant, estimated_bytes: z.int() };
const limits = { max_days: z.int().nullable(), max_gb: z.number().nullable() };

/** The limits of a project, how far they are applied, and what is stored. */
export const retention = z.object({
  ...limits,
  updated_at: instant,
  is_applying: z.boolean(),
  last_applied_at: instant,
  /** By retention, since the server started. */
  deleted_events: z.int(),
  ...storedEvents,
});
export type RetentionJson = z.output<typeof retention>;

/** What limits would delete now. */
export const retentionPreview = z.object({
  ...limits,
  ...storedEvents,
  remaining: z.object(storedEvents),
  months: z.array(z.object({ month: z.string(), events: z.int(), estimated_bytes: z.int() })),
  persons_without_events: z.int(),
  note: z.string(),
});
export type RetentionPreviewJson = z.output<typeof retentionPreview>;

export const retentionApi = {
  'GET P/burrow/retention/': { response: retention },
  'PUT P/burrow/retention/': { body: retentionBody, response: retention },
  'GET P/burrow/retention/preview/': { response: retentionPreview },
  'POST P/burrow/retention/preview/': { body: retentionBody, response: retentionPreview },
};

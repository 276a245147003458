import { z } from 'zod';

/** A typed filter of the live view; all of them must hold. */
export const liveFilter = z.object({
  field: z.enum(['event', 'distinct_id', 'property']),
  key: z.string().optional(),
  operator: z.enum(['exact', 'is_not', 'icontains', 'is_set', 'is_not_set']),
  value: z.string().optional(),
});

/** Query of `GET P/burrow/live/`: `filters` is a JSON array of filters. */
const liveQuery = z.object({
  filters: z
    .string()
    .optional()
    .transform((text, context) => {
      const parsed = z
        .array(liveFilter)
        .max(20)
        .safeParse(parseJson(text ?? '[]'));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: 'filters must be a JSON array of at most 20 filters.' });
      return z.NEVER;
    }),
});

/** One stored event as the live view shows it: unlike the deprecated listing, `properties` is an object. */
const liveEvent = z.object({
  id: z.uuid(),
  event: z.string(),
  distinct_id: z.string(),
  timestamp: z.string(),
  received_at: z.string(),
  properties: z.record(z.string(), z.unknown()),
  elements_chain: z.string(),
  lib: z.string(),
  lib_version: z.string(),
});

/** Data of one `events` message of the stream; `skipped` counts what was left out because there was more. */
const liveMessage = z.object({ events: z.array(liveEvent), skipped: z.number() });

export type LiveMessage = z.infer<typeof liveMessage>;

export const liveApi = {
  'GET P/burrow/live/': { query: liveQuery, response: null },
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

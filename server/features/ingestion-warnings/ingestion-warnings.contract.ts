import { z } from 'zod';

/** Query of `GET P/burrow/ingestion_warnings/`. */
const listWarningsQuery = z.object({
  /** One type. */
  type: z.string().optional(),
  /** A text that occurs anywhere in the row, in either case. */
  search: z.string().optional(),
});

/** Events that were answered 200 and not stored, or not as they were sent (management contract 9.12). */
const ingestionWarning = z.object({
  type: z.string(),
  /** The path of the requests. */
  source: z.string(),
  lib: z.string(),
  lib_version: z.string(),
  count: z.int(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The newest case. */
  sample: z.record(z.string(), z.unknown()),
});
export type IngestionWarningJson = z.output<typeof ingestionWarning>;

const ingestionWarningPage = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(ingestionWarning),
});

export const ingestionWarningsApi = {
  'GET P/burrow/ingestion_warnings/': { query: listWarningsQuery, response: ingestionWarningPage },
};

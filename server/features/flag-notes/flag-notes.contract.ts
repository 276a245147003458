import { z } from 'zod';

/** What the list of flags shows beside each of them. */
const flagNote = z.strictObject({
  id: z.int(),
  key: z.string(),
  local_evaluation: z.strictObject({
    /** Whether SDKs that evaluate flags themselves decide it, as the server would. */
    works: z.boolean(),
    /** Why not, in a sentence. */
    reason: z.string().nullable(),
    /** Properties of the person or group that the caller has to pass for it. */
    properties: z.array(z.string()),
  }),
  /** Why it can never be computed, and is absent from every answer. */
  error: z.string().nullable(),
  is_stale: z.boolean(),
  /** How many overrides hold for it on this machine. */
  overrides: z.int(),
});
export type FlagNoteJson = z.output<typeof flagNote>;

export const flagNotes = z.strictObject({ results: z.array(flagNote) });

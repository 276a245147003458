import { z } from 'zod';

/** A remark on a part of a text; offsets in UTF-16 units, null when it is about the whole. */
export const hogqlNotice = z.strictObject({
  message: z.string(),
  start: z.int().nullable(),
  end: z.int().nullable(),
});

/** The metadata of a text, in addition to the fields of every response. */
export const hogqlMetadataFields = {
  isValid: z.boolean(),
  errors: z.array(hogqlNotice),
  warnings: z.array(hogqlNotice),
  notices: z.array(hogqlNotice),
  table_names: z.array(z.string()),
};
export type HogqlNotice = z.output<typeof hogqlNotice>;

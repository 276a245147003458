import { z } from 'zod';
import { ERRORS, type ErrorBody } from '../errors.ts';

const ROWS = Object.values(ERRORS);

/** The one body of all errors of the management API (management contract 2.4). */
export const errorBody: z.ZodType<ErrorBody> = z
  .strictObject({
    type: z.enum(ROWS.map(({ type }) => type)),
    code: z.enum(ROWS.map(({ code }) => code)),
    detail: z.string().min(1).meta({ description: 'A human-readable message; its wording can change.' }),
    attr: z.string().nullable().meta({
      description:
        'The invalid field, with nested names joined by two underscores; null for the whole request.',
    }),
  })
  .meta({ id: 'Error' });

import { z } from 'zod';
import { ERRORS, type ErrorBody } from '../errors.ts';

const ROWS = Object.values(ERRORS);

/** The one body of all errors of the management API (management contract 2.4). */
export const errorBody: z.ZodType<ErrorBody> = z
  .strictObject({
    type: z.enum(ROWS.map(({ type }) => type)),
    code: z.enum(ROWS.map(({ code }) => code)),
    detail: z.string().min(1).meta({ description: 'A sentence for people; its wording may change.' }),
    attr: z.string().nullable().meta({
      description: 'The field that is wrong, nested names joined by two underscores; null: the request.',
    }),
  })
  .meta({ id: 'Error' });

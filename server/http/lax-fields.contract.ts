import { z } from 'zod';

const WHOLE = /^-?(?:0|[1-9]\d*)$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A number of a schema that PostHog checks with pydantic, also as a text that is exactly one (amendment A-8): `"14"`, and for
 * decimals `"0.5"`; not `"1e3"`, `" 14"` or `"014"`. Not for fields that take texts too: those keep what was sent.
 */
export function laxInteger<S extends z.ZodType<number>>(schema: S) {
  return z.preprocess((value) => numberOf(value, WHOLE), schema);
}

/** The same for numbers that need not be whole. */
export function laxNumber<S extends z.ZodType<number>>(schema: S) {
  return z.preprocess((value) => numberOf(value, DECIMAL), schema);
}

/** A boolean of such a schema, also as the text `"true"` or `"false"`. */
export function laxBoolean() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
}

function numberOf(value: unknown, pattern: RegExp): unknown {
  return typeof value === 'string' && pattern.test(value) ? Number(value) : value;
}

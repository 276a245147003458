import { DatabaseError, InterruptedError } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import { describeHogqlError, HiddenPersonsError, HogqlError } from '../../hogql/errors.ts';
import { LIMIT_MARK } from '../../hogql/functions/growth.ts';

/** The reason of the signal that interrupted a statement. */
export const CANCELLED = 'cancelled';

/**
 * The API error of a failed query: with a sentence from the error table, for HogQL with line and column. Null: the
 * query is not to blame.
 */
export function refusalOf(error: unknown, text: string | null): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof HogqlError) {
    const detail = text === null ? error.message : describeHogqlError(error, text);
    return fail(error instanceof HiddenPersonsError ? 'access_level' : 'invalid_input', { detail });
  }
  if (error instanceof InterruptedError) return fail('query_timeout');
  return error instanceof DatabaseError ? refusalOfDatabase(error.message) : null;
}

/** What DuckDB calls its errors, and what they say of a query; never its own words, which quote the statement. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^(Invalid Error: )?Conversion Error/, 'A value cannot be converted to the requested type.'],
  [/^(Invalid Error: )?Out of Range Error/, 'A number is out of range for its type.'],
  [/^(Invalid Error: )?Invalid Input Error/, 'A function was called with an invalid value.'],
  [/^Binder Error/, 'Type mismatch: a function or an operator was called with unsupported types.'],
];

function refusalOfDatabase(message: string): ApiError | null {
  const limit = new RegExp(`^(?:Invalid Error: )?Invalid Input Error: ${LIMIT_MARK}(.+)$`).exec(message);
  if (limit !== null) return fail('query_memory', { detail: limit[1]! });
  if (/Out of Memory|A result is too large|failed to allocate|could not allocate/i.test(message))
    return fail('query_memory');
  const found = SENTENCES.find(([pattern]) => pattern.test(message));
  return found === undefined ? null : fail('invalid_input', { detail: found[1] });
}

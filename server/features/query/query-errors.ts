import { DatabaseError, InterruptedError, WarehouseAwayError } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import { describeHogqlError, HiddenPersonsError, HogqlError } from '../../hogql/errors.ts';
import { LIMIT_MARK } from '../../hogql/functions/growth.ts';
import type { z } from 'zod';

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
  if (error instanceof WarehouseAwayError) return fail('warehouse_away');
  return error instanceof DatabaseError ? refusalOfDatabase(error.message) : null;
}

/** Errors of DuckDB, in whose words those of ClickHouse come too, and our message for each; their own quotes the statement. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^(Invalid Error: )?Conversion Error/, 'A value cannot be converted to the requested type.'],
  [/^(Invalid Error: )?Out of Range Error/, 'A number is out of range for its type.'],
  [/^(Invalid Error: )?Invalid Input Error/, 'A function was called with an invalid value.'],
  [/^Binder Error/, 'Type mismatch: a function or an operator was called with unsupported types.'],
  [/^Unknown Function/, 'ClickHouse, which answers here, lacks a function of this statement.'],
];

function refusalOfDatabase(message: string): ApiError | null {
  const limit = new RegExp(`^(?:Invalid Error: )?Invalid Input Error: ${LIMIT_MARK}(.+)$`).exec(message);
  if (limit !== null) return fail('query_memory', { detail: limit[1]! });
  if (/Out of Memory|A result is too large|failed to allocate|could not allocate/i.test(message))
    return fail('query_memory');
  const found = SENTENCES.find(([pattern]) => pattern.test(message));
  return found === undefined ? null : fail('invalid_input', { detail: found[1] });
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
  /** How many problems the alternative has of which this is one. */
  among: number;
}

/** The most specific problem: the deepest one. */
export function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  const { path, message } = deepest(issues, []);
  return `${path.length === 0 ? 'It' : `'${path.map(String).join('.')}'`}: ${message}.`;
}

function deepest(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[]): Problem {
  return issues
    .map((issue) => ({ ...problemIn(issue, [...at, ...issue.path]), among: issues.length }))
    .reduce(likelier);
}

/** Of several things that a value may be, the sender meant the one that fits furthest, and then best. */
function likelier(a: Problem, b: Problem): Problem {
  const depth = b.path.length - a.path.length;
  return depth > 0 || (depth === 0 && b.among < a.among) ? b : a;
}

function problemIn(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): Problem {
  if (issue.code !== 'invalid_union') return { path, message: issue.message, among: 1 };
  if (issue.errors.length > 0) return issue.errors.map((one) => deepest(one, path)).reduce(likelier);
  const kinds = (issue as { options?: unknown[] }).options ?? [];
  return { path, message: `This must be one of: ${kinds.map(String).join(', ')}`, among: 1 };
}

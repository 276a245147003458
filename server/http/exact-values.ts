import type { ZodType, output, z } from 'zod';
import { ExactNumber } from '../lib/exact-number.contract.ts';

type Issue = z.core.$ZodIssue;

/**
 * Checks a value with the numbers of `parseExactly`. One where the schema takes only what a double holds is the nearest
 * double; where it takes a text too, the text, so that the digits stay.
 */
export function safeParseExactly<S extends ZodType>(
  schema: S,
  value: unknown,
): z.ZodSafeParseResult<output<S>> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed;
  const { issues } = parsed.error;
  let isExact = true;
  const round = (number: ExactNumber): number => ((isExact = false), Number(number));
  const nearest = replaced(value, issues, round);
  if (isExact) return parsed;
  const rounded = schema.safeParse(nearest, { reportInput: true });
  if (!rounded.success) return rounded;
  const spelled = schema.safeParse(replaced(value, issues, String));
  return spelled.success ? spelled : rounded;
}

/** The value with other exact numbers where there are issues. */
function replaced(
  value: unknown,
  issues: readonly Issue[],
  to: (number: ExactNumber) => unknown,
  path: readonly PropertyKey[] = [],
): unknown {
  if (value instanceof ExactNumber) {
    return issues.some((issue) => issue.path.every((name, at) => name === path[at])) ? to(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one, at) => replaced(one, issues, to, [...path, at]));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, replaced(one, issues, to, [...path, name])]),
  );
}

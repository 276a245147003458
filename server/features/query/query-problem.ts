import type { z } from 'zod';

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

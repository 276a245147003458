import type { z } from 'zod';
import { fail } from '../../errors.ts';
import { queryNode, WRAPPER_KINDS } from './query.contract.ts';
import { refuseUnsupported } from './unsupported-fields.ts';

/** A query node as it is stored: checked, with every key that was sent. */
export type StoredQuery = Readonly<Record<string, unknown>> & { readonly kind: string };

/**
 * Checks a query node that is about to be stored against the schemas (management contract 9.6, 9.9). Throws parse_error,
 * which names no field: its detail says what is wrong and where; and invalid_input for a field that nothing reads.
 */
export function readQuery(value: unknown): StoredQuery {
  const parsed = queryNode.safeParse(value);
  if (parsed.success) {
    refuseUnsupported(value as StoredQuery);
    return value as StoredQuery;
  }
  throw fail('parse_error', { detail: `The query cannot be read. ${problemOf(parsed.error.issues)}` });
}

/** Whether a value is a query node that can be stored. */
export function isQuery(value: unknown): value is StoredQuery {
  return queryNode.safeParse(value).success;
}

/** Whether a node of this kind only says how the answer of another is shown. */
export function isWrapper(kind: string): boolean {
  return Object.hasOwn(WRAPPER_KINDS, kind);
}

/** The query that a wrapper holds, or the node itself. */
export function sourceOf(query: StoredQuery): StoredQuery {
  return isWrapper(query.kind) ? (query['source'] as StoredQuery) : query;
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
  /** How many problems the alternative has of which this is one. */
  among: number;
}

/** The problem to tell of: the one that lies deepest. */
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

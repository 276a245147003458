import { fail } from '../../errors.ts';
import { queryNode, WRAPPER_KINDS } from './query-kinds.ts';
import { problemOf } from './query-errors.ts';
import { refuseUnreadable } from './readable-fields.ts';
import { refuseUnsupported } from './unsupported-fields.ts';

/** A query node as it is stored: checked, with every key that was sent. */
export type StoredQuery = Readonly<Record<string, unknown>> & { readonly kind: string };

/**
 * Checks a query node that is about to be stored against the schemas (management contract 9.6, 9.9). Throws parse_error,
 * which names no field: its detail says what is wrong and where; and invalid_input for what nothing reads, or its reader
 * would refuse.
 */
export function readQuery(value: unknown): StoredQuery {
  const parsed = queryNode.safeParse(value);
  if (parsed.success) {
    checkFields(value as StoredQuery);
    return value as StoredQuery;
  }
  throw fail('parse_error', { detail: `The query cannot be read. ${problemOf(parsed.error.issues)}` });
}

/** Throws invalid_input for a field that nothing reads, and for a value that its reader would refuse. */
export function checkFields(query: StoredQuery): void {
  refuseUnsupported(query);
  refuseUnreadable(query);
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

import { fail } from '../../errors.ts';
import { safeParseExactly } from '../../http/exact-values.ts';
import { queryNode, WRAPPER_KINDS } from './query-kinds.ts';
import { problemOf } from './query-errors.ts';
import { refuseUnreadable } from './readable-fields.ts';
import { refuseUnsupported } from './unsupported-fields.ts';
import type { output, ZodType } from 'zod';
import type { QueryKind } from './query-kind.ts';
import type { Fields } from './legacy-filters.ts';

/** A query node as it is stored: checked, with every key that was sent. */
export type StoredQuery = Readonly<Record<string, unknown>> & { readonly kind: string };

/**
 * Checks a query node that is about to be stored against the schemas (management contract 9.6, 9.9). Throws parse_error,
 * which names no field: its detail says what is wrong and where; and invalid_input for what nothing reads, or its reader
 * would refuse.
 */
export function readQuery(value: unknown): StoredQuery {
  const parsed = safeParseExactly(queryNode, value);
  if (parsed.success) {
    checkFields(value as StoredQuery);
    return value as StoredQuery;
  }
  throw fail('parse_error', { detail: `Invalid query. ${problemOf(parsed.error.issues)}` });
}

/** Throws invalid_input for a field that nothing reads, and for a value that its reader would refuse. */
export function checkFields(query: StoredQuery): void {
  refuseUnsupported(query);
  refuseUnreadable(query);
}

/** Whether a value is a query node that can be stored. */
export function isQuery(value: unknown): value is StoredQuery {
  return safeParseExactly(queryNode, value).success;
}

/** Whether a node of this kind only wraps another query with display options. */
function isWrapper(kind: string): boolean {
  return Object.hasOwn(WRAPPER_KINDS, kind);
}

/** The query that a wrapper holds, or the node itself. */
export function sourceOf(query: StoredQuery): StoredQuery {
  return isWrapper(query.kind) ? (query['source'] as StoredQuery) : query;
}

/** A query parsed by the schema of its kind. Throws invalid_input, whose detail names the field. */
export function readKind<S extends ZodType>(kind: QueryKind<S>, source: StoredQuery): output<S> {
  const parsed = safeParseExactly(kind.schema, source);
  if (parsed.success) return parsed.data;
  throw fail('invalid_input', { detail: `Invalid query. ${problemOf(parsed.error.issues)}` });
}

/** A node that may be a query: an object with a `kind`, and in a wrapper another. Throws invalid_input. */
export function readNode(value: unknown): StoredQuery {
  const node = nodeOf(value, 'A query must be an object with a `kind`, such as HogQLQuery.');
  if (isWrapper(node.kind)) nodeOf(node['source'], `A ${node.kind} requires a query in \`source\`.`);
  return node;
}

function nodeOf(value: unknown, detail: string): StoredQuery {
  const kind = typeof value === 'object' && value !== null ? (value as Fields)['kind'] : undefined;
  if (typeof kind !== 'string') throw fail('invalid_input', { detail });
  return value as StoredQuery;
}

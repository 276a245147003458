import type { output, ZodType } from 'zod';
import { fail } from '../../errors.ts';
import type { QueryKind } from './query-kind.ts';
import { problemOf } from './query-errors.ts';
import type { StoredQuery } from './read-query.ts';

/** A query as its kind's schema reads it. Throws invalid_input, which says what is wrong and where. */
export function readKind<S extends ZodType>(kind: QueryKind<S>, source: StoredQuery): output<S> {
  const parsed = kind.schema.safeParse(source);
  if (parsed.success) return parsed.data;
  throw fail('invalid_input', { detail: `The query cannot be read. ${problemOf(parsed.error.issues)}` });
}

import { isNothingCounted } from './table-rows.ts';
import { questionOf, sourceOf } from './question.ts';

/** An answer as the server gives it: of the query endpoint (`results`), or of an insight or a tile (`result`). */
export interface AnswerJson {
  results?: unknown;
  result?: unknown;
  columns?: readonly string[] | null;
  types?: readonly unknown[] | null;
  hogql?: string | null;
  hasMore?: boolean | null;
  query_status?: unknown;
  /** By whose clocks its days are told. */
  timezone?: string | null;
}

/** What an answer holds; `null` while it was not computed. */
export function resultsOf(answer: AnswerJson | null | undefined): unknown {
  return answer?.results ?? answer?.result ?? null;
}

/** What a tile says that could not be computed; empty for nothing. */
export function problemOfAnswer(answer: AnswerJson | null | undefined): string {
  const { error, error_message: message } = (answer?.query_status ?? {}) as {
    error?: boolean;
    error_message?: string | null;
  };
  return error === true ? (message ?? 'The server could not run the query.') : '';
}

/** Which view draws the answer of a query; `table` for rows of columns of any kind. */
export type AnswerKind = 'trends' | 'funnel' | 'retention' | 'paths' | 'table' | 'none';

/** The view of a query, which may stand in what wraps it. */
export function kindOfAnswer(query: unknown): AnswerKind {
  const question = questionOf(query);
  if (question === null) return sourceOf(query) === null ? 'none' : 'table';
  switch (question.kind) {
    case 'FunnelsQuery':
      return 'funnel';
    case 'RetentionQuery':
      return 'retention';
    case 'PathsQuery':
      return 'paths';
    default:
      return 'trends';
  }
}

/** Whether an answer is there and says that nothing happened. */
export function isNothing(query: unknown, answer: AnswerJson | null | undefined): boolean {
  const results = resultsOf(answer);
  if (results === null) return false;
  const question = questionOf(query);
  if (question === null) return Array.isArray(results) && results.length === 0;
  return isNothingCounted(question, results);
}

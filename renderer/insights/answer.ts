/** An answer as the server gives it: of the query endpoint (`results`), or of an insight or a tile (`result`). */
export interface AnswerJson {
  results?: unknown;
  result?: unknown;
  columns?: readonly string[] | null;
  types?: readonly unknown[] | null;
  hogql?: string | null;
  hasMore?: boolean | null;
  query_status?: unknown;
  /** The time zone of its dates. */
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

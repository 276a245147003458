/** A query result as the server sends it: of the query endpoint (`results`), or of an insight or a tile (`result`). */
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

/** The results; `null` while they are not computed. */
export function resultsOf(answer: AnswerJson | null | undefined): unknown {
  return answer?.results ?? answer?.result ?? null;
}

/** The error message of a query that failed; empty for none. */
export function problemOfAnswer(answer: AnswerJson | null | undefined): string {
  const { error, error_message: message } = (answer?.query_status ?? {}) as {
    error?: boolean;
    error_message?: string | null;
  };
  return error === true ? (message ?? 'The server could not run the query.') : '';
}

/** A point of a result: the source of the list of its actors (management contract 9.9.2), and its name. */
export interface PickedPoint {
  title: string;
  source: { kind: string; [key: string]: unknown };
  /** The point before or after it, where only its picture can tell; `null` at an end. */
  beside?: (by: 1 | -1) => PickedPoint | null;
}

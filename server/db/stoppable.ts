import type { Analytics, Params, QueryOptions, Row, Statements } from './db.ts';

/** What reads of lists need: analytic statements or small ones. */
export type Asked = Pick<Statements, 'all'>;

/** Analytic statements that all run under the same options: they stop when the client goes away. */
export function stoppable(analytics: Analytics, options: QueryOptions): Asked {
  return { all: <T = Row>(sql: string, params?: Params) => analytics.all<T>(sql, params, options) };
}

import type { QueryNode } from '../../api/query.api.ts';
import { withComparison, withTrendShape, type TrendShape } from '../../insights/trends/trend-shapes.ts';
import {
  sqlOf,
  sqlQueryOf,
  withDisplay,
  withSqlQuery,
  type SqlDisplay,
} from '../../insights/hogql/sql-node.ts';
import { questionOf } from '../../insights/kinds.ts';
import type { Question } from '../../insights/question.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How the insight of a tile is drawn otherwise, and with which time it is compared. */
export interface TileLook {
  shape?: TrendShape;
  against?: string;
  /** The text of an SQL query. */
  sql?: string;
  /** How the result of an SQL query is shown. */
  display?: SqlDisplay;
}

/** A question as it was stored, under another look; what wraps it stays. Of a kind that is not drawn so, the same. */
export function withLook<Query>(query: Query, { shape, against, sql, display }: TileLook): Query {
  const node = sqlOf(query);
  if (node) {
    const written = sql === undefined ? node : withSqlQuery(node, { ...sqlQueryOf(node), query: sql });
    return (display === undefined ? written : withDisplay(written, display)) as Query;
  }
  const question = questionOf(query);
  if (!question || (shape === undefined && against === undefined)) return query;
  const shaped = shape === undefined ? question : withTrendShape(question, shape);
  return inPlaceOf(query, against === undefined ? shaped : withComparison(shaped, against));
}

/** A question under the dates of its dashboard, which its answer is told with. */
export function withDates<Query>(query: Query, { date_from: from, date_to: to }: Fields): Query {
  const question = questionOf(query);
  if (!question || typeof from !== 'string') return query;
  const dateRange = { date_from: from, ...(typeof to === 'string' ? { date_to: to } : {}) };
  return inPlaceOf(query, { ...question, dateRange });
}

function inPlaceOf<Query>(query: Query, question: Question): Query {
  const isWrapped = (query as { source?: unknown }).source !== undefined;
  return (isWrapped ? { ...query, source: question } : question) as Query;
}

/** Whether a question is stored as a node; an insight without one cannot be drawn at all. */
export function isQuery(query: unknown): query is QueryNode {
  return typeof query === 'object' && query !== null;
}

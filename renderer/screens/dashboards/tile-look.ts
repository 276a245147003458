import type { QueryNode } from '../../../server/features/query/query.contract.ts';
import { withComparison, withTrendShape, type TrendShape } from '../../insights/trends/trend-shapes.ts';
import {
  sqlOf,
  sqlQueryOf,
  withDisplay,
  withSqlQuery,
  type SqlDisplay,
} from '../../insights/hogql/sql-node.ts';
import { insightQueryOf } from '../../insights/kinds.ts';
import type { InsightQuery } from '../../insights/insight-query.ts';

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

/** A query as it was stored, under another look; what wraps it stays. Of a kind that is not drawn so, the same. */
export function withLook<Query>(query: Query, { shape, against, sql, display }: TileLook): Query {
  const node = sqlOf(query);
  if (node) {
    const written = sql === undefined ? node : withSqlQuery(node, { ...sqlQueryOf(node), query: sql });
    return (display === undefined ? written : withDisplay(written, display)) as Query;
  }
  const insightQuery = insightQueryOf(query);
  if (!insightQuery || (shape === undefined && against === undefined)) return query;
  const shaped = shape === undefined ? insightQuery : withTrendShape(insightQuery, shape);
  return inPlaceOf(query, against === undefined ? shaped : withComparison(shaped, against));
}

/** A query with the dates of its dashboard, as its result was computed. */
export function withDates<Query>(query: Query, { date_from: from, date_to: to }: Fields): Query {
  const insightQuery = insightQueryOf(query);
  if (!insightQuery || typeof from !== 'string') return query;
  const { date_to: _, ...rest } = insightQuery.dateRange ?? {};
  const dateRange = { ...rest, date_from: from, ...(typeof to === 'string' ? { date_to: to } : {}) };
  return inPlaceOf(query, { ...insightQuery, dateRange });
}

function inPlaceOf<Query>(query: Query, insightQuery: InsightQuery): Query {
  const isWrapped = (query as { source?: unknown }).source !== undefined;
  return (isWrapped ? { ...query, source: insightQuery } : insightQuery) as Query;
}

/** Whether a query is stored as a node; an insight without one cannot be drawn at all. */
export function isQuery(query: unknown): query is QueryNode {
  return typeof query === 'object' && query !== null;
}

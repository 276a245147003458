import type {
  BasicInsightJson,
  FailedInsightJson,
} from '../../server/features/insights/insights.contract.ts';
import { request } from './http.ts';
import type { QueryNode } from './query.api.ts';

/** A stored insight, without what it answers. */
export type Insight = Omit<BasicInsightJson, 'query'> & { query: QueryNode | null };

/** What may be written of an insight. */
export interface InsightChange {
  name?: string;
  description?: string;
  query?: QueryNode;
  tags?: string[];
  favorited?: boolean;
  saved?: boolean;
  deleted?: boolean;
  /** Its dashboards from now on; it is removed from all others. */
  dashboards?: number[];
}

export interface InsightQuery {
  limit: number;
  offset?: number;
  search?: string | undefined;
  favorited?: true | undefined;
  /** Only one's own. */
  user?: true | undefined;
  insight?: string | undefined;
  /** A field, `-` before it for descending. */
  order?: string | undefined;
}

const insightsOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/insights/${rest}`;

/** Saved insights, a page at a time, without what they answer. */
export function listInsights(
  projectId: number,
  query: InsightQuery,
): Promise<{ count: number; results: Insight[] }> {
  return request(insightsOf(projectId), { query: { ...query, saved: true, basic: true } });
}

/** One insight by its id or short id, without what it answers. */
export function getInsight(projectId: number, id: string): Promise<Insight> {
  return request(insightsOf(projectId, `${encodeURIComponent(id)}/`), { query: { basic: true } });
}

/** Keeps a query under a name. */
export function createInsight(
  projectId: number,
  insight: InsightChange & { name: string; query: QueryNode },
): Promise<Insight> {
  return request(insightsOf(projectId), { method: 'POST', body: { saved: true, ...insight } });
}

/** Changes a stored insight. */
export function changeInsight(projectId: number, id: number, change: InsightChange): Promise<Insight> {
  return request(insightsOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

/** An insight whose last query failed, with the error. */
export type FailedInsight = FailedInsightJson;

/** Insights whose last query failed, the latest first. */
export async function listFailedInsights(projectId: number): Promise<FailedInsight[]> {
  const { results } = await request<{ results: FailedInsight[] }>(
    `/api/projects/${projectId}/burrow/failed_insights/`,
  );
  return results;
}

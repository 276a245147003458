import type { ActivityEntry as Entry } from '../../server/features/activity-log/activity-log.contract.ts';
import { request } from './http.ts';

/** Who did what with which object, when, and what was before and after. */
export type ActivityEntry = Entry;

export interface ActivityQuery {
  /** Part of the object's name. */
  search?: string | undefined;
  /** Kinds of objects, with commas. */
  scopes?: string | undefined;
  activities?: string | undefined;
  user?: number | undefined;
  date_from?: string | undefined;
  limit: number;
  offset: number;
}

export interface ActivityPage {
  count: number;
  results: ActivityEntry[];
}

/** A page of the log of a project, or (null) of the organization with all of its projects; newest first. */
export function listActivity(projectId: number | null, query: ActivityQuery): Promise<ActivityPage> {
  const place = projectId === null ? '/api/organizations/@current' : `/api/projects/${projectId}`;
  return request<ActivityPage>(`${place}/activity_log/`, { query: { ...query } });
}

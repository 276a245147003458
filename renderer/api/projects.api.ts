import { request } from './http.ts';

export interface Project {
  id: number;
  name: string;
  api_token: string;
  timezone: string;
  /** Whether any event has ever been stored in it. */
  ingested_event: boolean;
}

/** Creates a project of this name in the caller's organization. */
export function createProject(name: string, timezone: string): Promise<Project> {
  return request<Project>('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name, timezone },
  });
}

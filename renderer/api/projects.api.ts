import type {
  ProjectBasics,
  ProjectDetail as Detail,
  WipedJson,
} from '../../server/features/projects/projects.contract.ts';
import { request } from './http.ts';

export type Project = ProjectBasics;
export type ProjectDetail = Detail;
export type Wiped = WipedJson;

/** What can be changed of a project here. */
export interface ProjectChange {
  name?: string;
  timezone?: string;
  week_start_day?: number;
  person_display_name_properties?: string[] | null;
  test_account_filters?: readonly object[];
  app_urls?: string[];
  /** Further settings, by their names on the wire. */
  [setting: string]: unknown;
}

const pathOf = (projectId: number): string => `/api/projects/${projectId}/`;

/** Creates a project of this name in the caller's organization. */
export function createProject(name: string, timezone: string): Promise<Project> {
  return request<Project>('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name, timezone },
  });
}

/** The whole of a project, with the caller's level in it. */
export function getProject(projectId: number): Promise<ProjectDetail> {
  return request<ProjectDetail>(pathOf(projectId));
}

/** Changes a project and returns it as it is then. */
export function changeProject(projectId: number, change: ProjectChange): Promise<ProjectDetail> {
  return request<ProjectDetail>(pathOf(projectId), { method: 'PATCH', body: change });
}

/** Gives a project another key; the previous one stops working immediately. */
export function resetProjectToken(projectId: number): Promise<ProjectDetail> {
  return request<ProjectDetail>(`${pathOf(projectId)}reset_token/`, { method: 'PATCH', body: {} });
}

/** Deletes a project with everything in it, without a way back. */
export function deleteProject(projectId: number): Promise<void> {
  return request<void>(pathOf(projectId), { method: 'DELETE' });
}

/** Deletes all events, persons and groups of a project, irreversibly; its dashboards and other definitions are kept. */
export function emptyProject(projectId: number): Promise<Wiped> {
  return request<Wiped>(`/api/projects/${projectId}/burrow/events/`, { method: 'DELETE' });
}

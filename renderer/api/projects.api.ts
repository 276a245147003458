import type { ProjectBasics } from '../../server/features/projects/projects.contract.ts';
import { request } from './http.ts';

export type Project = ProjectBasics;

/** Creates a project of this name in the caller's organization. */
export function createProject(name: string, timezone: string): Promise<Project> {
  return request<Project>('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name, timezone },
  });
}

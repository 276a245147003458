import type { ProjectSecretsJson } from '../../server/features/project-secrets/project-secrets.contract.ts';
import { request } from './http.ts';

/** The secret keys of a project; the key itself is only in the response that creates it. */
export type ProjectSecrets = ProjectSecretsJson;

const pathOf = (projectId: number): string => `/api/projects/${projectId}/`;

/** Whether a project has a secret key, and one before it that still works. */
export function getProjectSecrets(projectId: number): Promise<ProjectSecrets> {
  return request<ProjectSecrets>(`${pathOf(projectId)}burrow/secret_token/`);
}

/** Makes a secret key; the answer holds it, once. The one before it goes on working. */
export function rotateProjectSecret(projectId: number): Promise<ProjectSecrets> {
  return request<ProjectSecrets>(`${pathOf(projectId)}rotate_secret_token/`, { method: 'PATCH', body: {} });
}

/** Ends the secret key that was replaced. */
export function removeOldProjectSecret(projectId: number): Promise<ProjectSecrets> {
  return request<ProjectSecrets>(`${pathOf(projectId)}delete_secret_token_backup/`, {
    method: 'PATCH',
    body: {},
  });
}

/** Ends every secret key of a project. */
export function removeProjectSecrets(projectId: number): Promise<void> {
  return request<void>(`${pathOf(projectId)}burrow/secret_token/`, { method: 'DELETE' });
}

import type {
  RetentionBody,
  RetentionJson,
  RetentionPreviewJson,
} from '../../server/features/retention/retention.contract.ts';
import { request } from './http.ts';

export type Retention = RetentionJson;
export type RetentionLimits = RetentionBody;
export type RetentionPreview = RetentionPreviewJson;

const pathOf = (projectId: number): string => `/api/projects/${projectId}/burrow/retention/`;

/** How long a project's events are kept, and what is stored now. */
export function getRetention(projectId: number): Promise<Retention> {
  return request<Retention>(pathOf(projectId));
}

/** What these limits would delete; nothing is changed. */
export function previewRetention(projectId: number, limits: RetentionLimits): Promise<RetentionPreview> {
  return request<RetentionPreview>(`${pathOf(projectId)}preview/`, { method: 'POST', body: limits });
}

/** Sets the limits; events beyond them are deleted from now on, without a way back. */
export function setRetention(projectId: number, limits: RetentionLimits): Promise<Retention> {
  return request<Retention>(pathOf(projectId), { method: 'PUT', body: limits });
}

import type { z } from 'zod';
import type { captureSettings } from '../../server/features/projects/projects.contract.ts';
import { request } from './http.ts';

/** `inspect_only`: events are shown and not stored. */
export type CaptureSettings = z.output<typeof captureSettings>;

const pathOf = (projectId: number): string => `/api/projects/${projectId}/burrow/capture_settings/`;

/** Whether a project's events are stored. */
export function getCaptureSettings(projectId: number): Promise<CaptureSettings> {
  return request<CaptureSettings>(pathOf(projectId));
}

/** Decides it for events from now on. */
export function setCaptureSettings(projectId: number, settings: CaptureSettings): Promise<CaptureSettings> {
  return request<CaptureSettings>(pathOf(projectId), { method: 'PUT', body: settings });
}

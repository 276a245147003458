import type {
  FlagOverrideJson,
  PresetBody,
} from '../../server/features/feature-flags/overrides/flag-overrides.contract.ts';
import { request } from './http.ts';

/** A value that a flag is forced to answer on this machine. */
export type FlagOverride = FlagOverrideJson;

export interface NewFlagOverride {
  key: string;
  distinct_id: string | null;
  value: boolean | string;
  payload: string | null;
  expires_at: string | null;
}

export type OverridePreset = PresetBody['preset'];

const pathOf = (projectId: number, rest = ''): string =>
  `/api/projects/${projectId}/burrow/flag_overrides/${rest}`;

/** More than the overrides of any real project. */
const MOST_OVERRIDES = 1000;

/** What is forced now, the newest first; of one flag with `key`. */
export async function listFlagOverrides(
  projectId: number,
  query: { key?: string; distinct_id?: string } = {},
): Promise<FlagOverride[]> {
  const { results } = await request<{ results: FlagOverride[] }>(pathOf(projectId), {
    query: { limit: MOST_OVERRIDES, ...query },
  });
  return results;
}

/** Forces a value, in place of the one forced before for the same flag and user. */
export function addFlagOverride(projectId: number, override: NewFlagOverride): Promise<FlagOverride> {
  return request(pathOf(projectId), { method: 'POST', body: override });
}

/** Ends one. */
export function endFlagOverride(projectId: number, id: string): Promise<void> {
  return request(pathOf(projectId, `${id}/`), { method: 'DELETE' });
}

/** Ends all. */
export function endAllFlagOverrides(projectId: number): Promise<{ ended: number }> {
  return request(pathOf(projectId), { method: 'DELETE' });
}

/** Overrides every flag to on or off, for one user or (`null`) for all users. */
export function presetFlagOverrides(
  projectId: number,
  preset: OverridePreset,
  { distinctId, expiresAt }: { distinctId: string | null; expiresAt: string | null },
): Promise<{ overridden: number }> {
  return request(pathOf(projectId, 'preset/'), {
    method: 'POST',
    body: { preset, distinct_id: distinctId, expires_at: expiresAt },
  });
}

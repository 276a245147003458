import type { FeatureFlagJson } from '../../server/features/feature-flags/feature-flags.contract.ts';
import type {
  ExportedFile,
  ImportReport,
} from '../../server/features/feature-flags/file/flag-file.contract.ts';
import type { FlagNoteJson } from '../../server/features/feature-flags/feature-flags.contract.ts';
import type {
  BlastRadius,
  SimulationJson,
} from '../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import type { ActivityEntry } from './activity-log.api.ts';
import { request } from './http.ts';

/** Data about a flag beyond its definition. */
export type FlagNote = FlagNoteJson;
/** What a draft of a flag would answer over stored persons or groups; counts are of `evaluated`. */
export type FlagSimulation = SimulationJson;
export type FlagImport = ImportReport;

/** A condition set: all of its conditions, then the share of those who pass them. */
export interface FlagGroup {
  properties?: FlagCondition[];
  /** Percent from 0 to 100; `null` for all. */
  rollout_percentage?: number | null;
  /** The variant for all persons of this set. */
  variant?: string | null;
  aggregation_group_type_index?: number | null;
  description?: string | null;
  [key: string]: unknown;
}

export interface FlagCondition {
  type: 'person' | 'group' | 'cohort' | 'flag';
  key: string;
  operator?: string | null;
  value?: unknown;
  group_type_index?: number | null;
  negation?: boolean | null;
  cohort_name?: string | null;
  [key: string]: unknown;
}

export interface FlagVariant {
  key: string;
  name?: string | null;
  rollout_percentage: number;
}

export interface FlagFilters {
  groups: FlagGroup[];
  multivariate?: { variants: FlagVariant[] } | null;
  /** JSON texts by variant, or under `true`. */
  payloads?: Record<string, unknown>;
  aggregation_group_type_index?: number | null;
  [key: string]: unknown;
}

export type FlagRuntime = 'all' | 'client' | 'server';

/** A flag as the management API answers it (management contract 9.1). */
export type FeatureFlag = Omit<FeatureFlagJson, 'filters'> & { filters: FlagFilters };

/** What may be written of a flag. */
export interface FlagChange {
  key?: string;
  name?: string;
  active?: boolean;
  deleted?: boolean;
  filters?: FlagFilters;
  tags?: string[];
  ensure_experience_continuity?: boolean;
  evaluation_runtime?: FlagRuntime;
  bucketing_identifier?: 'distinct_id' | 'device_id' | null;
  is_remote_configuration?: boolean;
}

export interface FlagQuery {
  limit: number;
  offset?: number;
  search?: string | undefined;
  active?: 'true' | 'false' | 'STALE' | undefined;
  type?: 'boolean' | 'multivariant' | 'experiment' | 'remote_config' | undefined;
  evaluation_runtime?: FlagRuntime | undefined;
  /** A JSON list of tags. */
  tags?: string | undefined;
  order?: string | undefined;
}

export interface FlagPage {
  count: number;
  results: FeatureFlag[];
}

const flagsOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/feature_flags/${rest}`;
const ownOf = (projectId: number, rest: string): string =>
  `/api/projects/${projectId}/burrow/feature_flags/${rest}`;

/** Flags of a project, a page at a time; without an order the newest first. */
export function listFeatureFlags(projectId: number, query: FlagQuery): Promise<FlagPage> {
  return request(flagsOf(projectId), { query: { ...query } });
}

/** One flag, also one that is deleted. */
export function getFeatureFlag(projectId: number, id: number): Promise<FeatureFlag> {
  return request(flagsOf(projectId, `${id}/`));
}

/** Creates a flag, without a dashboard: the console shows its calls itself. */
export function createFeatureFlag(projectId: number, flag: FlagChange): Promise<FeatureFlag> {
  return request(flagsOf(projectId), {
    method: 'POST',
    body: { ...flag, _should_create_usage_dashboard: false },
  });
}

/** Changes a flag; with `original` only when no other user has changed the same fields meanwhile (409 then). */
export function changeFeatureFlag(
  projectId: number,
  id: number,
  change: FlagChange,
  original?: FeatureFlag,
): Promise<FeatureFlag> {
  const guard = original ? { version: original.version, original_flag: original } : {};
  return request(flagsOf(projectId, `${id}/`), { method: 'PATCH', body: { ...change, ...guard } });
}

/** Which flags work with local evaluation, cannot be computed, are stale or overridden. */
export async function listFlagNotes(projectId: number): Promise<FlagNote[]> {
  const { results } = await request<{ results: FlagNote[] }>(ownOf(projectId, 'notes/'));
  return results;
}

/** How many of all stored persons (or groups of a kind) pass a condition set, before its rollout. */
export function getBlastRadius(
  projectId: number,
  condition: FlagGroup,
  groupTypeIndex: number | null,
): Promise<BlastRadius> {
  return request(flagsOf(projectId, 'user_blast_radius/'), {
    method: 'POST',
    body: { condition, group_type_index: groupTypeIndex },
  });
}

/** What a flag would answer with these filters, over a sample of what is stored. */
export function simulateFlag(
  projectId: number,
  draft: {
    key: string;
    filters: FlagFilters;
    active?: boolean;
    bucketing_identifier?: 'distinct_id' | 'device_id' | null;
    ensure_experience_continuity?: boolean;
  },
): Promise<FlagSimulation> {
  return request(ownOf(projectId, 'simulate/'), { method: 'POST', body: draft });
}

/** All flags as one file. */
export function exportFlags(projectId: number): Promise<ExportedFile> {
  return request(ownOf(projectId, 'export/'));
}

/** Takes in a flag file, or says what taking it in would do. */
export function importFlags(projectId: number, file: unknown, isDryRun: boolean): Promise<FlagImport> {
  return request(ownOf(projectId, 'import/'), {
    method: 'POST',
    query: isDryRun ? { dry_run: true } : {},
    body: file,
  });
}

/** What was changed of a flag, the newest first. */
export function listFlagActivity(
  projectId: number,
  id: number,
  query: { limit: number; page?: number },
): Promise<{ results: ActivityEntry[]; count: number; next: string | null }> {
  return request(flagsOf(projectId, `${id}/activity/`), { query });
}

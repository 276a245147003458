import type { Params, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { ListFeaturesQuery } from './early-access-features.contract.ts';
import { FEATURE, toFeature, type EarlyAccessFeature, type FeatureRow } from './feature-row.ts';

/** Early access features of a project, newest first, and how many there are in all. */
export async function listFeatures(
  db: Statements,
  projectId: number,
  { search, stage }: ListFeaturesQuery,
  slice: Slice,
): Promise<{ rows: EarlyAccessFeature[]; count: number }> {
  const params: Record<string, Params[string]> = { projectId };
  if (search !== undefined) params['search'] = search;
  if (stage !== undefined) params['stage'] = stage;
  const found = `SELECT ${FEATURE} FROM early_access_features e WHERE e.project_id = $projectId
    ${search === undefined ? '' : 'AND contains(lower(e.name || chr(10) || e.description), lower($search))'}
    ${stage === undefined ? '' : 'AND e.stage = $stage'}`;
  const { rows, count } = await selectPage<FeatureRow>(db, found, params, '"createdAt" DESC, id DESC', slice);
  return { rows: rows.map(toFeature), count };
}

/** A feature whose flag is there. */
export interface KeyedFeature extends EarlyAccessFeature {
  readonly flagKey: string;
}

/** Features whose flags are there, oldest first: of one project, or with null of all. */
export async function listKeyedFeatures(db: Statements, projectId: number | null): Promise<KeyedFeature[]> {
  const rows = await db.all<FeatureRow & { flagKey: string }>(
    `SELECT ${FEATURE}, f.key AS "flagKey"
     FROM early_access_features e JOIN feature_flags f ON f.id = e.feature_flag_id AND NOT f.deleted
     ${projectId === null ? '' : 'WHERE e.project_id = $projectId'} ORDER BY e.created_at, e.id`,
    projectId === null ? {} : { projectId },
  );
  return rows.map(toFeature);
}

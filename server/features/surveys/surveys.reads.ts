import type { Params, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { ReadStatements } from '../../db/db.ts';
import { SURVEY, toSurvey, type Survey, type SurveyRow } from './survey-row.ts';
import type { ListSurveysQuery } from './surveys.contract.ts';

/** Surveys of a project, newest first, and how many there are in all. */
export async function listSurveys(
  db: Statements,
  projectId: number,
  query: ListSurveysQuery,
  slice: Slice,
): Promise<{ rows: Survey[]; count: number }> {
  const conditions = ['s.project_id = $projectId'];
  const params: Record<string, Params[string]> = { projectId };
  const add = (name: string, value: string | boolean | undefined, condition: string) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add('search', query.search, 'contains(lower(s.name || chr(10) || s.description), lower($search))');
  add('archived', query.archived, 's.archived = $archived');
  add('type', query.type, 's.type = $type');
  const found = `SELECT ${SURVEY} FROM surveys s WHERE ${conditions.join(' AND ')}`;
  const { rows, count } = await selectPage<SurveyRow>(db, found, params, '"createdAt" DESC, id DESC', slice);
  return { rows: rows.map(toSurvey), count };
}

/** A survey that pages may get, with the keys of its flags. */
export interface KeyedSurvey extends Survey {
  readonly linkedFlagKey: string | null;
  readonly targetingFlagKey: string | null;
  readonly internalTargetingFlagKey: string | null;
}

/**
 * Surveys that have a start and are not archived, oldest first: of one project, or with null of all. A survey with a
 * permanently deleted flag is left out: its audience is unknown.
 */
export async function listStartedSurveys(db: Statements, projectId: number | null): Promise<KeyedSurvey[]> {
  const rows = await db.all<
    SurveyRow & Pick<KeyedSurvey, 'linkedFlagKey' | 'targetingFlagKey' | 'internalTargetingFlagKey'>
  >(
    `SELECT ${SURVEY}, linked.key AS "linkedFlagKey", targeting.key AS "targetingFlagKey",
       internal.key AS "internalTargetingFlagKey"
     FROM surveys s
     LEFT JOIN feature_flags linked ON linked.id = s.linked_flag_id
     LEFT JOIN feature_flags targeting ON targeting.id = s.targeting_flag_id
     LEFT JOIN feature_flags internal ON internal.id = s.internal_targeting_flag_id
     WHERE s.start_date IS NOT NULL AND NOT s.archived
       AND (s.linked_flag_id IS NULL) = (linked.id IS NULL)
       AND (s.targeting_flag_id IS NULL) = (targeting.id IS NULL)
       ${projectId === null ? '' : 'AND s.project_id = $projectId'}
     ORDER BY s.created_at, s.id`,
    projectId === null ? {} : { projectId },
  );
  return rows.map((row) => ({ ...row, ...toSurvey(row) }));
}

/** A live action that starts a survey. */
export interface StartingAction {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  /** JSON text of a list. */
  readonly steps: string;
}

/** Live actions by their ids. */
export function listStartingActions(db: Statements, ids: readonly number[]): Promise<StartingAction[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<StartingAction>(
    `SELECT id, project_id AS "projectId", name, steps FROM actions
     WHERE NOT deleted AND list_contains($ids::BIGINT[], id)`,
    { ids },
  );
}

/** How often surveys of a project were answered, by their ids; parts of one answer count once. */
export async function countAnswers(asked: ReadStatements, projectId: number): Promise<Map<string, number>> {
  const rows = await asked.all<{ id: string; answers: number }>(
    `SELECT json_extract_string(properties, '$."$survey_id"') AS id,
       count(DISTINCT coalesce(json_extract_string(properties, '$."$survey_submission_id"'), uuid::VARCHAR)) AS answers
     FROM all_events
     WHERE project_id = $projectId AND event = 'survey sent'
       AND timestamp >= (SELECT min(start_date) FROM surveys WHERE project_id = $projectId)
     GROUP BY 1 HAVING id IN (SELECT id::VARCHAR FROM surveys WHERE project_id = $projectId)`,
    { projectId },
  );
  return new Map(rows.map(({ id, answers }) => [id, answers]));
}

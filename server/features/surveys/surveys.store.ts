import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import { SURVEY, toSurvey, type Survey, type SurveyFields, type SurveyRow } from './survey-row.ts';

/** Null when the project has none with this id. */
export async function findSurvey(db: Statements, projectId: number, id: string): Promise<Survey | null> {
  const row = await db.first<SurveyRow>(
    `SELECT ${SURVEY} FROM surveys s WHERE s.id = $id::UUID AND s.project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toSurvey(row);
}

/** The id of the project's survey of this name, or null. */
export async function findSurveyByName(
  db: Statements,
  projectId: number,
  name: string,
): Promise<string | null> {
  const row = await db.first<{ id: string }>(
    'SELECT id FROM surveys WHERE project_id = $projectId AND name = $name',
    { projectId, name },
  );
  return row?.id ?? null;
}

/** `now` in Unix milliseconds. */
export async function insertSurvey(
  tx: Statements,
  {
    id,
    projectId,
    createdBy,
    now,
    ...fields
  }: SurveyFields & {
    id: string;
    projectId: number;
    createdBy: number;
    now: number;
  },
): Promise<Survey> {
  await tx.run(
    `INSERT INTO surveys (id, project_id, name, description, type, schedule, questions, appearance, conditions,
       translations, start_date, end_date, archived, responses_limit, enable_partial_responses, iteration_count,
       iteration_frequency_days, linked_flag_id, targeting_flag_id, internal_targeting_flag_id, created_by, created_at,
       updated_at)
     VALUES ($id::UUID, $projectId, $name, $description, $type, $schedule, $questions, $appearance, $conditions,
       $translations, $startDate::TIMESTAMP, $endDate::TIMESTAMP, $archived, $responsesLimit, $enablePartialResponses,
       $iterationCount, $iterationFrequencyDays, $linkedFlagId, $targetingFlagId, $internalTargetingFlagId, $createdBy,
       epoch_ms($now), epoch_ms($now))`,
    { id, projectId, createdBy, now, ...paramsOf(fields) },
  );
  return (await findSurvey(tx, projectId, id))!;
}

/** `now` in Unix milliseconds. */
export async function updateSurvey(
  tx: Statements,
  { id, projectId, now, ...fields }: SurveyFields & { id: string; projectId: number; now: number },
): Promise<Survey> {
  await tx.run(
    `UPDATE surveys SET name = $name, description = $description, type = $type, schedule = $schedule,
       questions = $questions, appearance = $appearance, conditions = $conditions, translations = $translations,
       start_date = $startDate::TIMESTAMP, end_date = $endDate::TIMESTAMP, archived = $archived,
       responses_limit = $responsesLimit, enable_partial_responses = $enablePartialResponses,
       iteration_count = $iterationCount, iteration_frequency_days = $iterationFrequencyDays,
       linked_flag_id = $linkedFlagId, targeting_flag_id = $targetingFlagId,
       internal_targeting_flag_id = $internalTargetingFlagId, updated_at = epoch_ms($now)
     WHERE id = $id::UUID AND project_id = $projectId`,
    { id, projectId, now, ...paramsOf(fields) },
  );
  return (await findSurvey(tx, projectId, id))!;
}

export async function deleteSurvey(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM surveys WHERE id = $id::UUID', { id });
}

function paramsOf(fields: SurveyFields) {
  const textOrNull = (value: unknown) => (value === null ? null : jsonText(value));
  return {
    name: fields.name,
    description: fields.description,
    type: fields.type,
    schedule: fields.schedule,
    questions: jsonText(fields.questions),
    appearance: textOrNull(fields.appearance),
    conditions: textOrNull(fields.conditions),
    translations: textOrNull(fields.translations),
    startDate: fields.startDate,
    endDate: fields.endDate,
    archived: fields.archived,
    responsesLimit: fields.responsesLimit,
    enablePartialResponses: fields.enablePartialResponses,
    iterationCount: fields.iterationCount,
    iterationFrequencyDays: fields.iterationFrequencyDays,
    linkedFlagId: fields.linkedFlagId,
    targetingFlagId: fields.targetingFlagId,
    internalTargetingFlagId: fields.internalTargetingFlagId,
  };
}

import type { SURVEY_TYPES } from './surveys.contract.ts';
import type { SurveyAppearance, SurveyConditions } from './kinds/survey-display.contract.ts';
import type { SurveyQuestion } from './kinds/survey-questions.contract.ts';

/** The fields of a survey that users set, and the flags that are created from it. */
export interface SurveyFields {
  readonly name: string;
  readonly description: string;
  readonly type: (typeof SURVEY_TYPES)[number];
  readonly schedule: 'once' | 'recurring' | 'always' | null;
  /** Each with an id. */
  readonly questions: readonly SurveyQuestion[];
  readonly appearance: SurveyAppearance | null;
  readonly conditions: SurveyConditions | null;
  readonly translations: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  /** ISO 8601, UTC, as the other times. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly archived: boolean;
  readonly responsesLimit: number | null;
  readonly enablePartialResponses: boolean | null;
  readonly iterationCount: number | null;
  readonly iterationFrequencyDays: number | null;
  readonly linkedFlagId: number | null;
  readonly targetingFlagId: number | null;
  readonly internalTargetingFlagId: number | null;
}

export interface Survey extends SurveyFields {
  readonly id: string;
  readonly projectId: number;
  readonly createdBy: number | null;
  readonly createdAt: string;
}

type JsonColumn = 'questions' | 'appearance' | 'conditions' | 'translations';

/** A survey as the database gives it; what has a shape is JSON text, or null. */
export type SurveyRow = Omit<Survey, JsonColumn> & Record<JsonColumn, string | null>;

/** The columns of a SurveyRow, of a table that is called `s`. */
export const SURVEY = `s.id, s.project_id AS "projectId", s.name, s.description, s.type, s.schedule, s.questions,
  s.appearance, s.conditions, s.translations, s.start_date AS "startDate", s.end_date AS "endDate", s.archived,
  s.responses_limit AS "responsesLimit", s.enable_partial_responses AS "enablePartialResponses",
  s.iteration_count AS "iterationCount", s.iteration_frequency_days AS "iterationFrequencyDays",
  s.linked_flag_id AS "linkedFlagId", s.targeting_flag_id AS "targetingFlagId",
  s.internal_targeting_flag_id AS "internalTargetingFlagId", s.created_by AS "createdBy", s.created_at AS "createdAt"`;

export function toSurvey(row: SurveyRow): Survey {
  const parsed = <T>(text: string | null) => (text === null ? null : (JSON.parse(text) as T));
  return {
    ...row,
    questions: parsed<SurveyQuestion[]>(row.questions) ?? [],
    appearance: parsed<SurveyAppearance>(row.appearance),
    conditions: parsed<SurveyConditions>(row.conditions),
    translations: parsed<Record<string, Record<string, unknown>>>(row.translations),
  };
}

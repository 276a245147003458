import type { NewId } from '../../lib/ids.ts';
import type { SurveyFields } from './survey-row.ts';
import type { UpdateSurveyBody } from './surveys.contract.ts';

/** What a survey is of which nothing was said. */
export const NEW_SURVEY: SurveyFields = {
  name: '',
  description: '',
  type: 'popover',
  schedule: 'once',
  questions: [],
  appearance: null,
  conditions: null,
  translations: null,
  startDate: null,
  endDate: null,
  archived: false,
  responsesLimit: null,
  enablePartialResponses: null,
  iterationCount: null,
  iterationFrequencyDays: null,
  linkedFlagId: null,
  targetingFlagId: null,
  internalTargetingFlagId: null,
};

/** What the body says, and the rest as it was. Questions get an id: SDKs name each answer by it. */
export function fieldsOf(old: SurveyFields, body: UpdateSurveyBody, newId: NewId): SurveyFields {
  const or = <T>(wanted: T | undefined, before: T): T => (wanted === undefined ? before : wanted);
  return {
    name: or(body.name, old.name),
    description: or(body.description, old.description),
    type: or(body.type, old.type),
    schedule: or(body.schedule, old.schedule),
    questions: or(
      body.questions?.map((question) => ({ ...question, id: question.id ?? newId() })),
      old.questions,
    ),
    appearance: or(body.appearance, old.appearance),
    conditions: or(body.conditions, old.conditions),
    translations: or(body.translations, old.translations),
    startDate: or(body.start_date, old.startDate),
    endDate: or(body.end_date, old.endDate),
    archived: or(body.archived, old.archived),
    responsesLimit: or(body.responses_limit, old.responsesLimit),
    enablePartialResponses: or(body.enable_partial_responses, old.enablePartialResponses),
    iterationCount: or(body.iteration_count, old.iterationCount),
    iterationFrequencyDays: or(body.iteration_frequency_days, old.iterationFrequencyDays),
    linkedFlagId: or(body.linked_flag_id, old.linkedFlagId),
    targetingFlagId: old.targetingFlagId,
    internalTargetingFlagId: old.internalTargetingFlagId,
  };
}

/** The fields of a survey in the activity log, by the names of the wire. */
export function logFieldsOf(fields: SurveyFields) {
  return {
    name: fields.name,
    description: fields.description,
    type: fields.type,
    schedule: fields.schedule,
    questions: fields.questions,
    appearance: fields.appearance,
    conditions: fields.conditions,
    translations: fields.translations,
    start_date: fields.startDate,
    end_date: fields.endDate,
    archived: fields.archived,
    responses_limit: fields.responsesLimit,
    enable_partial_responses: fields.enablePartialResponses,
    iteration_count: fields.iterationCount,
    iteration_frequency_days: fields.iterationFrequencyDays,
    linked_flag_id: fields.linkedFlagId,
  };
}

import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  parameter,
  textField,
} from '../../http/fields.contract.ts';
import { dateTimeField } from '../../http/date-time.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { minimalFlag } from '../feature-flags/feature-flags.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';
import { surveyAppearance, surveyConditions } from './kinds/survey-display.contract.ts';
import { surveyQuestions } from './kinds/survey-questions.contract.ts';

const MAX_NAME_LENGTH = 400;
/** As PostHog: more were only ever typed by mistake. */
const MAX_ITERATIONS = 500;
const MAX_DAYS = 3650;

export const SURVEY_TYPES = ['popover', 'widget', 'api', 'external_survey'] as const;
const type = z.enum(SURVEY_TYPES);
const schedule = z.enum(['once', 'recurring', 'always']);
const object = z.record(z.string(), z.unknown());
const moment = dateTimeField().meta({ example: '2026-11-20T09:30:00Z' });

const surveyParams = z.object({ id: z.guid() });

const listSurveysQuery = z.object({
  /** Part of name or description. */
  search: parameter(z.string()),
  archived: parameter(booleanField()),
  type: parameter(type),
});
export type ListSurveysQuery = z.output<typeof listSurveysQuery>;

/** Body of PATCH; what is absent stays. */
const updateSurveyBody = z.object({
  name: textField(MAX_NAME_LENGTH).optional(),
  description: freeTextField().optional(),
  type: type.optional(),
  schedule: schedule.nullable().optional(),
  questions: surveyQuestions
    .meta({ example: [{ type: 'open', question: 'What could we do better?' }] })
    .optional(),
  appearance: surveyAppearance.nullable().optional(),
  conditions: surveyConditions.nullable().optional(),
  /** By language, what of the texts reads otherwise there. */
  translations: z.record(z.string(), object).nullable().optional(),
  /** From here on pages show it; null: not yet. */
  start_date: moment.nullable().optional(),
  end_date: moment.nullable().optional(),
  archived: booleanField().optional(),
  /** With so many answers it ends. */
  responses_limit: integerField().pipe(z.int32().min(1)).nullable().optional(),
  enable_partial_responses: booleanField().nullable().optional(),
  iteration_count: integerField().pipe(z.int().min(0).max(MAX_ITERATIONS)).nullable().optional(),
  iteration_frequency_days: integerField().pipe(z.int().min(1).max(MAX_DAYS)).nullable().optional(),
  linked_flag_id: integerField().nullable().optional(),
  /** The target audience: filters of a flag that is created for it. */
  targeting_flag_filters: object
    .meta({ example: { groups: [{ properties: [], rollout_percentage: 50 }] } })
    .nullable()
    .optional(),
  /** It is shown to all users again. */
  remove_targeting_flag: booleanField().nullable().optional(),
});
export type UpdateSurveyBody = z.output<typeof updateSurveyBody>;

/** Body of POST and PUT. */
export const createSurveyBody = updateSurveyBody.required({ name: true, type: true, questions: true });
export type CreateSurveyBody = z.output<typeof createSurveyBody>;

/** A survey (management contract 9.11). */
export const survey = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    type,
    schedule: schedule.nullable(),
    linked_flag: minimalFlag.nullable(),
    linked_flag_id: z.int().nullable(),
    targeting_flag: minimalFlag.nullable(),
    internal_targeting_flag: minimalFlag.nullable(),
    questions: z.array(object),
    conditions: object.nullable(),
    appearance: object.nullable(),
    translations: z.record(z.string(), object).nullable(),
    created_at: z.string(),
    created_by: embeddedUser.nullable(),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    archived: z.boolean(),
    responses_limit: z.int().nullable(),
    enable_partial_responses: z.boolean().nullable(),
    iteration_count: z.int().nullable(),
    iteration_frequency_days: z.int().nullable(),
    /** When each iteration begins; null: it is shown once, or has not started. */
    iteration_start_dates: z.array(z.string()).nullable(),
    /** From 1. */
    current_iteration: z.int().nullable(),
    current_iteration_start_date: z.string().nullable(),
    /** Keys of its flags, by what they are for. */
    feature_flag_keys: z.array(z.strictObject({ key: z.string(), value: z.string().nullable() })),
    user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']).nullable(),
  })
  .meta({ id: 'Survey' });
export type SurveyJson = z.output<typeof survey>;

export const surveyPage = pageSchema(survey);

/** Answers by the id of the survey. */
const responsesCount = z.record(z.string(), z.int());

const flagKey = z.string().nullable();

/** A survey as pages get it: what is needed to show it, and nothing else that users wrote about it. */
const publicSurvey = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  linked_flag_key: flagKey,
  targeting_flag_key: flagKey,
  internal_targeting_flag_key: flagKey,
  questions: z.array(object),
  conditions: object.nullable(),
  appearance: object.nullable(),
  translations: object.nullable(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  current_iteration: z.int().nullable(),
  current_iteration_start_date: z.string().nullable(),
  schedule: z.string().nullable(),
  enable_partial_responses: z.boolean().nullable(),
});
export type PublicSurvey = z.output<typeof publicSurvey>;

/** Answer of the public list of surveys (ingestion contract 10.5). */
export const publicSurveys = z.object({
  surveys: z.array(publicSurvey),
  survey_config: object.nullable(),
});
export type PublicSurveys = z.output<typeof publicSurveys>;

export const surveysApi = {
  'GET P/surveys/': { query: listSurveysQuery, response: surveyPage },
  'POST P/surveys/': { body: createSurveyBody, response: survey },
  'GET P/surveys/responses_count/': { response: responsesCount },
  'GET P/surveys/:id/': { params: surveyParams, response: survey },
  'PATCH P/surveys/:id/': { params: surveyParams, body: updateSurveyBody, response: survey },
  'PUT P/surveys/:id/': { params: surveyParams, body: createSurveyBody, response: survey },
  'DELETE P/surveys/:id/': { params: surveyParams, response: null },
};

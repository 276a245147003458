import { z } from 'zod';
import { booleanField, freeTextField, integerField, textField } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';

/** IANA name; offsets such as `+02:00` are no time zones, because they know no summer. */
const timezone = textField(64).pipe(
  z.string().refine(isTimezone, {
    message: 'This is not a valid time zone.',
    params: { error: 'invalid_choice' },
  }),
);

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const flagField = () => booleanField().nullish();
const textsField = () => z.array(z.string()).nullish();
const listField = () => z.array(z.unknown()).nullish();
const dictField = () => z.record(z.string(), z.unknown()).nullish();

/** The web vitals that posthog-js measures. */
const webVital = z.enum(['CLS', 'FCP', 'INP', 'LCP']);

/** Settings of a project that this version has; null sets one back (management contract 8.3). */
const projectSettings = {
  product_description: freeTextField(1_000).nullish(),
  completed_snippet_onboarding: booleanField().optional(),
  has_completed_onboarding_for: z.record(z.string(), booleanField()).nullish(),
  access_control: booleanField().optional(),
  app_urls: textsField(),
  anonymize_ips: booleanField().optional(),
  test_account_filters: listField(),
  test_account_filters_default_checked: flagField(),
  path_cleaning_filters: listField(),
  data_attributes: textsField(),
  person_display_name_properties: textsField(),
  correlation_config: dictField(),
  autocapture_opt_out: flagField(),
  autocapture_exceptions_opt_in: flagField(),
  autocapture_web_vitals_opt_in: flagField(),
  autocapture_web_vitals_allowed_metrics: z.array(webVital).nullish(),
  capture_dead_clicks: flagField(),
  capture_console_log_opt_in: flagField(),
  capture_performance_opt_in: flagField(),
  session_recording_opt_in: booleanField().optional(),
  recording_domains: textsField(),
  heatmaps_opt_in: flagField(),
  surveys_opt_in: flagField(),
  survey_config: dictField(),
  cookieless_server_hash_mode: integerField().nullish(),
  week_start_day: integerField().pipe(z.int().min(0).max(6)).nullish(),
  primary_dashboard: integerField().nullish(),
};

/**
 * Creates or changes a project. Settings that this version does not know are kept and shown as they came, so that tools
 * which compare what they sent with what they read find no difference.
 */
export const projectBody = z.looseObject({
  name: textField(200).optional(),
  timezone: timezone.optional(),
  ...projectSettings,
});
export type ProjectBody = z.output<typeof projectBody>;

/** Whether events of a project are stored, or only answered and shown live. */
const captureSettings = z.object({ inspect_only: z.boolean() });
const captureSettingsBody = z.object({ inspect_only: booleanField() });

/** What lists and `/api/users/@me/` show of a project (management contract 8.3). */
export const projectBasics = z
  .strictObject({
    id: z.int(),
    uuid: z.uuid(),
    organization: z.uuid(),
    project_id: z.int(),
    api_token: z.string(),
    name: z.string(),
    completed_snippet_onboarding: z.boolean(),
    has_completed_onboarding_for: z.record(z.string(), z.boolean()),
    ingested_event: z.boolean(),
    is_demo: z.boolean(),
    timezone: z.string(),
    access_control: z.boolean(),
  })
  .meta({ id: 'ProjectBasics' });
export type ProjectBasics = z.output<typeof projectBasics>;

export const projectPage = pageSchema(projectBasics);

const flag = z.boolean().nullable();

/** The whole of a project; it also has the settings that a client has sent and this version does not know. */
export const projectDetail = z
  .looseObject({
    ...projectBasics.shape,
    product_description: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    effective_membership_level: z.literal([1, 8, 15]).nullable(),
    has_group_types: z.boolean(),
    group_types: z.array(z.unknown()),
    live_events_token: z.string().nullable(),
    app_urls: z.array(z.string()),
    anonymize_ips: z.boolean(),
    test_account_filters: z.array(z.unknown()),
    test_account_filters_default_checked: flag,
    path_cleaning_filters: z.array(z.unknown()),
    data_attributes: z.array(z.string()),
    person_display_name_properties: z.array(z.string()).nullable(),
    correlation_config: z.record(z.string(), z.unknown()),
    autocapture_opt_out: flag,
    autocapture_exceptions_opt_in: flag,
    autocapture_web_vitals_opt_in: flag,
    autocapture_web_vitals_allowed_metrics: z.array(z.string()).nullable(),
    capture_dead_clicks: flag,
    capture_console_log_opt_in: flag,
    capture_performance_opt_in: flag,
    session_recording_opt_in: z.boolean(),
    recording_domains: z.array(z.string()),
    heatmaps_opt_in: flag,
    surveys_opt_in: flag,
    survey_config: z.record(z.string(), z.unknown()).nullable(),
    cookieless_server_hash_mode: z.int().nullable(),
    week_start_day: z.int().nullable(),
    primary_dashboard: z.int().nullable(),
    user_access_level: z.string().nullable(),
  })
  .meta({ id: 'Project' });
export type ProjectDetail = z.output<typeof projectDetail>;

/** What was deleted when a project was emptied. */
const wiped = z.object({ events: z.int(), persons: z.int(), groups: z.int() });
export type WipedJson = z.output<typeof wiped>;

const organizationParams = z.object({ organization_id: z.string() });
const projectParams = organizationParams.extend({ project_id: z.string() });

export const projectsApi = {
  'GET /api/projects/': { response: projectPage },
  'GET /api/organizations/:organization_id/projects/': { params: organizationParams, response: projectPage },
  'POST /api/organizations/:organization_id/projects/': {
    params: organizationParams,
    body: projectBody,
    response: projectDetail,
  },
  'GET P/': { response: projectDetail },
  'PATCH P/': { body: projectBody, response: projectDetail },
  'DELETE P/': { response: null },
  'PATCH P/reset_token/': { body: z.object({}), response: projectDetail },
  'GET /api/organizations/:organization_id/projects/:project_id/': {
    params: projectParams,
    response: projectDetail,
  },
  'PATCH /api/organizations/:organization_id/projects/:project_id/': {
    params: projectParams,
    body: projectBody,
    response: projectDetail,
  },
  'DELETE /api/organizations/:organization_id/projects/:project_id/': {
    params: projectParams,
    response: null,
  },
  'PATCH /api/organizations/:organization_id/projects/:project_id/reset_token/': {
    params: projectParams,
    body: z.object({}),
    response: projectDetail,
  },
  'DELETE P/burrow/events/': { response: wiped },
  'GET P/burrow/capture_settings/': { response: captureSettings },
  'PUT P/burrow/capture_settings/': { body: captureSettingsBody, response: captureSettings },
};

import { z } from 'zod';
import { booleanField, textField } from '../../http/fields.contract.ts';

/** IANA name; offsets such as `+02:00` are no time zones, because they know no summer. */
const timezone = textField(64).pipe(
  z.string().refine(isTimezone, {
    message: 'This is not the name of a time zone.',
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

export const createProjectBody = z.object({
  name: textField(200).optional(),
  timezone: timezone.optional(),
});

/** Whether events of a project are stored, or only answered and shown live. */
export const captureSettings = z.object({ inspect_only: z.boolean() });
export const captureSettingsBody = z.object({ inspect_only: booleanField() });

/** What lists and `/api/users/@me/` show of a project (management contract 8.3). */
export const projectBasics = z.object({
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
});
export type ProjectBasics = z.output<typeof projectBasics>;

export const projectDetail = projectBasics.extend({
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
  test_account_filters_default_checked: z.boolean(),
  path_cleaning_filters: z.array(z.unknown()),
  data_attributes: z.array(z.string()),
  person_display_name_properties: z.array(z.string()).nullable(),
  correlation_config: z.record(z.string(), z.unknown()),
  autocapture_opt_out: z.boolean(),
  autocapture_exceptions_opt_in: z.boolean(),
  autocapture_web_vitals_opt_in: z.boolean(),
  capture_console_log_opt_in: z.boolean(),
  capture_performance_opt_in: z.boolean(),
  session_recording_opt_in: z.boolean(),
  recording_domains: z.array(z.string()),
  heatmaps_opt_in: z.boolean(),
  surveys_opt_in: z.boolean(),
  cookieless_server_hash_mode: z.int(),
  week_start_day: z.int(),
  primary_dashboard: z.int().nullable(),
  user_access_level: z.string().nullable(),
});
export type ProjectDetail = z.output<typeof projectDetail>;

export const projectPage = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(projectBasics),
});

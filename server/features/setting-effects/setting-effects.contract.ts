/** Settings of a project that change what Burrow stores, answers or shows. */
export const SETTINGS_WITH_EFFECT = [
  'name',
  'timezone',
  'week_start_day',
  'person_display_name_properties',
  'test_account_filters',
  'path_cleaning_filters',
  'app_urls',
  'anonymize_ips',
  'autocapture_opt_out',
  'heatmaps_opt_in',
  'capture_dead_clicks',
  'autocapture_exceptions_opt_in',
  'capture_performance_opt_in',
  'autocapture_web_vitals_opt_in',
  'autocapture_web_vitals_allowed_metrics',
  'surveys_opt_in',
  'survey_config',
] as const;

/** Settings of PostHog's that are stored and returned, so that tools such as Terraform find what they sent, and change nothing else. */
export const SETTINGS_WITHOUT_EFFECT = [
  'product_description',
  'completed_snippet_onboarding',
  'has_completed_onboarding_for',
  'access_control',
  'test_account_filters_default_checked',
  'data_attributes',
  'correlation_config',
  'capture_console_log_opt_in',
  'session_recording_opt_in',
  'recording_domains',
  'cookieless_server_hash_mode',
  'primary_dashboard',
] as const;

/** Fields of a project that are no settings: identity, state and what the caller may do. */
export const PROJECT_FACTS = [
  'id',
  'uuid',
  'organization',
  'project_id',
  'api_token',
  'ingested_event',
  'is_demo',
  'created_at',
  'updated_at',
  'effective_membership_level',
  'has_group_types',
  'group_types',
  'live_events_token',
  'user_access_level',
] as const;

import type { ProjectBasics, ProjectDetail } from './projects.contract.ts';
import type { Project } from './projects.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

/** What lists show of a project. */
export function projectBasicsOf(project: Project): ProjectBasics {
  const { settings } = project;
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    project_id: project.id,
    api_token: project.apiToken,
    name: project.name,
    completed_snippet_onboarding:
      (settings['completed_snippet_onboarding'] as boolean | undefined) ?? project.ingestedEvent,
    has_completed_onboarding_for:
      (settings['has_completed_onboarding_for'] as Record<string, boolean> | undefined) ?? {},
    ingested_event: project.ingestedEvent,
    is_demo: project.demo !== null,
    timezone: project.timezone,
    access_control: (settings['access_control'] as boolean | undefined) ?? false,
  };
}

/** The whole of a project, with the types of its groups and the caller's level in it (management contract 2.9). */
export function projectDetailOf(
  project: Project,
  groupTypes: ProjectDetail['group_types'],
  level: 0 | 1 | 8,
): ProjectDetail {
  return {
    ...DEFAULTS,
    ...project.settings,
    ...projectBasicsOf(project),
    // Cookieless events are dropped, whatever a client has set.
    cookieless_server_hash_mode: 0,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    effective_membership_level: level === 0 ? null : level,
    has_group_types: groupTypes.length > 0,
    group_types: groupTypes,
    live_events_token: null,
    user_access_level: level === ADMIN ? 'admin' : level === 0 ? null : 'member',
  };
}

/** Settings that were never set. */
const DEFAULTS = {
  product_description: null,
  app_urls: [],
  anonymize_ips: false,
  test_account_filters: [],
  test_account_filters_default_checked: false,
  path_cleaning_filters: [],
  data_attributes: [],
  person_display_name_properties: null,
  correlation_config: {},
  autocapture_opt_out: false,
  autocapture_exceptions_opt_in: false,
  autocapture_web_vitals_opt_in: false,
  autocapture_web_vitals_allowed_metrics: null,
  capture_dead_clicks: false,
  capture_console_log_opt_in: false,
  capture_performance_opt_in: false,
  session_recording_opt_in: false,
  recording_domains: [],
  heatmaps_opt_in: false,
  surveys_opt_in: false,
  survey_config: null,
  cookieless_server_hash_mode: 0,
  week_start_day: 0,
  primary_dashboard: null,
} satisfies Partial<ProjectDetail>;

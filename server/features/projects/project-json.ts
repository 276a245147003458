import type { ProjectBasics, ProjectDetail } from './projects.contract.ts';
import type { Project } from './projects.store.ts';

/** What lists show of a project. */
export function projectBasicsOf(project: Project): ProjectBasics {
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    project_id: project.id,
    api_token: project.apiToken,
    name: project.name,
    completed_snippet_onboarding: project.ingestedEvent,
    has_completed_onboarding_for: {},
    ingested_event: project.ingestedEvent,
    is_demo: false,
    timezone: project.timezone,
    access_control: false,
  };
}

/** The level of an owner inside a project (management contract 2.9); whoever signs in here is one. */
const ADMIN_LEVEL = 8;

/** The whole of a project, with the types of its groups. */
export function projectDetailOf(project: Project, groupTypes: ProjectDetail['group_types']): ProjectDetail {
  return {
    ...projectBasicsOf(project),
    product_description: null,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    effective_membership_level: ADMIN_LEVEL,
    has_group_types: groupTypes.length > 0,
    group_types: groupTypes,
    live_events_token: null,
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
    capture_console_log_opt_in: false,
    capture_performance_opt_in: false,
    session_recording_opt_in: false,
    recording_domains: [],
    heatmaps_opt_in: false,
    surveys_opt_in: false,
    cookieless_server_hash_mode: 0,
    week_start_day: 0,
    primary_dashboard: null,
    user_access_level: 'admin',
  };
}

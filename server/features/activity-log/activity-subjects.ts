import type { ActivityScope } from '../../lib/activity.ts';

/** A kind of objects with a history of its own. */
export interface ActivitySubject {
  /** The first word of its paths. */
  readonly segment: string;
  readonly scope: ActivityScope;
  /** Its name in access rules. */
  readonly resource: string;
  /** Where its objects are looked up, as `id`, `created_by` and `project_id`; null: this version has none. */
  readonly objects: string | null;
  readonly ids: 'integer' | 'uuid';
}

/** Objects whose history can be asked for by `P/<segment>/activity/` and `P/<segment>/:id/activity/`. */
export const SUBJECTS: readonly ActivitySubject[] = [
  subject('dashboards', 'Dashboard', 'dashboard', live('dashboards')),
  subject('insights', 'Insight', 'insight', live('insights')),
  subject('actions', 'Action', 'action', live('actions')),
  subject('annotations', 'Annotation', 'annotation', live('annotations')),
  subject(
    'persons',
    'Person',
    'person',
    'SELECT uuid AS id, NULL::INTEGER AS created_by, project_id FROM persons',
    'uuid',
  ),
  // Also deleted ones: they are still shown by their ids.
  subject(
    'feature_flags',
    'FeatureFlag',
    'feature_flag',
    'SELECT id, created_by, project_id FROM feature_flags',
  ),
  subject('surveys', 'Survey', 'survey', 'SELECT id, created_by, project_id FROM surveys', 'uuid'),
  subject(
    'early_access_feature',
    'EarlyAccessFeature',
    'early_access_feature',
    'SELECT id, created_by, project_id FROM early_access_features',
    'uuid',
  ),
  subject('cohorts', 'Cohort', 'cohort', 'SELECT id, created_by, project_id FROM cohorts'),
];

/** Objects that the log tells of and that have no path for their own history. */
export const WITHOUT_HISTORY: readonly ActivitySubject[] = [
  subject('dashboard_templates', 'DashboardTemplate', 'dashboard_template', null, 'uuid'),
  subject('insight_variables', 'InsightVariable', 'insight_variable', null, 'uuid'),
  subject('groups', 'Group', 'group', null),
  subject('event_definitions', 'EventDefinition', 'event_definition', null, 'uuid'),
  subject('property_definitions', 'PropertyDefinition', 'property_definition', null, 'uuid'),
  subject('sharing', 'SharingConfiguration', 'sharing_configuration', null),
];

function subject(
  segment: string,
  scope: ActivityScope,
  resource: string,
  objects: string | null,
  ids: ActivitySubject['ids'] = 'integer',
): ActivitySubject {
  return { segment, scope, resource, objects, ids };
}

function live(table: string): string {
  return `SELECT id, created_by, project_id FROM ${table} WHERE NOT deleted`;
}

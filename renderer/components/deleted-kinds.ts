import { changeAction } from '../api/actions.api.ts';
import { changeAnnotation } from '../api/annotations.api.ts';
import { changeCohort } from '../api/cohorts.api.ts';
import { changeDashboard } from '../api/dashboards.api.ts';
import { changeFeatureFlag } from '../api/feature-flags.api.ts';
import { changeInsight } from '../api/insights.api.ts';

export interface DeletedKind {
  /** Its name in the activity log. */
  scope: string;
  one: string;
  many: string;
  /** What comes back with it, in one sentence. */
  note: string;
  restore(projectId: number, id: number): Promise<unknown>;
}

const BACK = { deleted: false } as const;

/** Everything that the console deletes and the API restores. */
export const DELETED_KINDS = {
  dashboard: {
    scope: 'Dashboard',
    one: 'dashboard',
    many: 'dashboards',
    note: 'A restored dashboard gets back all of its tiles.',
    restore: (projectId, id) => changeDashboard(projectId, id, BACK),
  },
  insight: {
    scope: 'Insight',
    one: 'insight',
    many: 'insights',
    note: 'A restored insight returns to its dashboards.',
    restore: (projectId, id) => changeInsight(projectId, id, BACK),
  },
  flag: {
    scope: 'FeatureFlag',
    one: 'flag',
    many: 'flags',
    note: 'A restored flag is live immediately. It cannot be restored while a newer flag uses its key.',
    restore: (projectId, id) => changeFeatureFlag(projectId, id, BACK),
  },
  cohort: {
    scope: 'Cohort',
    one: 'cohort',
    many: 'cohorts',
    note: 'A restored cohort gets back its criteria or its list of persons.',
    restore: (projectId, id) => changeCohort(projectId, id, BACK),
  },
  action: {
    scope: 'Action',
    one: 'action',
    many: 'actions',
    note: 'A restored action matches past events again.',
    restore: (projectId, id) => changeAction(projectId, id, BACK),
  },
  annotation: {
    scope: 'Annotation',
    one: 'annotation',
    many: 'annotations',
    note: 'A restored annotation is shown on charts again.',
    restore: (projectId, id) => changeAnnotation(projectId, id, BACK),
  },
} as const satisfies Record<string, DeletedKind>;

export type DeletedKindName = keyof typeof DELETED_KINDS;

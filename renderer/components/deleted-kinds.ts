import { api } from '../api/client.ts';

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
    restore: (projectId, id) => api.patch('P/dashboards/:id/', { projectId, id, body: BACK }),
  },
  insight: {
    scope: 'Insight',
    one: 'insight',
    many: 'insights',
    note: 'A restored insight returns to its dashboards.',
    restore: (projectId, id) => api.patch('P/insights/:id/', { projectId, id, body: BACK }),
  },
  flag: {
    scope: 'FeatureFlag',
    one: 'flag',
    many: 'flags',
    note: 'A restored flag is live immediately. It cannot be restored while a newer flag uses its key.',
    restore: (projectId, id) => api.patch('P/feature_flags/:id/', { projectId, id, body: BACK }),
  },
  cohort: {
    scope: 'Cohort',
    one: 'cohort',
    many: 'cohorts',
    note: 'A restored cohort gets back its criteria or its list of persons.',
    restore: (projectId, id) => api.patch('P/cohorts/:id/', { projectId, id, body: BACK }),
  },
  action: {
    scope: 'Action',
    one: 'action',
    many: 'actions',
    note: 'A restored action matches past events again.',
    restore: (projectId, id) => api.patch('P/actions/:id/', { projectId, id, body: BACK }),
  },
  annotation: {
    scope: 'Annotation',
    one: 'annotation',
    many: 'annotations',
    note: 'A restored annotation is shown on charts again.',
    restore: (projectId, id) => api.patch('P/annotations/:id/', { projectId, id, body: BACK }),
  },
} as const satisfies Record<string, DeletedKind>;

export type DeletedKindName = keyof typeof DELETED_KINDS;

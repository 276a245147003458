import { defineResource } from '../../http/define-resource.ts';

export const cohortResource = defineResource({
  noun: 'cohort',
  activity: 'Cohort',
  table: { name: 'cohorts', isLive: 'NOT deleted' },
  // A deleted cohort is still shown by its id.
  history: { path: 'cohorts', ofDeleted: true },
  search: {},
  access: {},
});

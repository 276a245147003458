import { defineResource } from '../../http/define-resource.ts';

export const actionResource = defineResource({
  noun: 'action',
  activity: 'Action',
  table: { name: 'actions', isLive: 'NOT deleted' },
  history: { path: 'actions' },
  search: {},
  tags: true,
  // Insights that use a hidden action could not be read.
  access: { minimum: 'viewer' },
});

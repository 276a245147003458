import { defineResource } from '../../http/define-resource.ts';

export const flagResource = defineResource({
  noun: 'feature_flag',
  activity: 'FeatureFlag',
  table: { name: 'feature_flags', isLive: 'NOT deleted' },
  // A deleted flag is still shown by its id.
  history: { path: 'feature_flags', ofDeleted: true },
  // A flag is called by its key; its name says what it is for.
  search: {
    name: 'key',
    description: 'name',
    resultOf: ({ id, name, description }) => ({
      result_id: id,
      extra_fields: { key: name ?? '', name: description },
    }),
  },
  tags: true,
  access: {},
});

import { defineResource } from '../../http/define-resource.ts';

export const earlyAccessFeatureResource = defineResource({
  noun: 'early_access_feature',
  activity: 'EarlyAccessFeature',
  table: { name: 'early_access_features', key: 'uuid_id' },
  history: { path: 'early_access_feature' },
  search: {},
});

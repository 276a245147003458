import { defineResource } from '../../http/define-resource.ts';

export const surveyResource = defineResource({
  noun: 'survey',
  activity: 'Survey',
  table: { name: 'surveys', key: 'uuid_id' },
  history: { path: 'surveys' },
  search: {},
});

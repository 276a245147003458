import { defineResource } from '../../http/define-resource.ts';

export const personResource = defineResource({
  noun: 'person',
  activity: 'Person',
  table: { name: 'persons', key: 'uuid', withoutCreator: true },
  history: { path: 'persons' },
});

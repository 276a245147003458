import { defineResource } from '../../http/define-resource.ts';

/** Who may see an alert follows from its insight, so it has no rules and no search of its own. */
export const alertResource = defineResource({
  noun: 'alert',
  activity: 'AlertConfiguration',
  table: { name: 'alerts', key: 'uuid_id' },
  history: { path: 'alerts' },
});

import { Flag } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';

export const flagResource = {
  noun: 'feature_flag',
  activity: 'FeatureFlag',
  one: 'flag',
  many: 'flags',
  icon: Flag,
  order: 30,
  filter: 'Flags',
  scope: { read: 'view conditions, evaluate', write: 'create, edit, delete' },
  create: [{ to: { name: 'flag', params: { flagId: 'new' } } }],
  deleted: {
    note: 'A restored flag is live immediately. It cannot be restored while a newer flag uses its key.',
    restore: (projectId, id) =>
      api.patch('P/feature_flags/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'flags',
  found: (projectId, { result_id, extra_fields: { key, name } }) => ({
    id: result_id,
    label: key || `Flag ${result_id}`,
    hint: name ?? '',
    isCode: true,
    to: { name: 'flag', params: { projectId, flagId: result_id } },
  }),
  async fact(projectId, { id }) {
    const flag = await api.get('P/feature_flags/:id/', { projectId, id: Number(id) });
    if (!flag.active || flag.filters.groups.length === 0) return 'off';
    const { rolloutOf } = await import('./flag-labels.ts');
    return `on for ${rolloutOf(flag).words}`;
  },
} satisfies ConsoleResource;

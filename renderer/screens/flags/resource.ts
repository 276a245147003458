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
  async find(projectId, search, limit) {
    const { results } = await api.get('P/feature_flags/', { projectId, query: { limit, search } });
    return results.map(({ id, key, name, active }) => ({
      id: String(id),
      label: key,
      hint: active ? name : 'off',
      to: { name: 'flag', params: { projectId, flagId: id } },
    }));
  },
} satisfies ConsoleResource;

import { MousePointerClick } from '@lucide/vue';
import { changeAction, listActions } from '../../api/actions.api.ts';
import type { ConsoleResource } from '../../composables/resources.ts';

export const actionResource = {
  noun: 'action',
  activity: 'Action',
  one: 'action',
  many: 'actions',
  icon: MousePointerClick,
  order: 50,
  filter: 'Actions',
  scope: { read: 'view them and their match groups', write: 'create, edit, delete' },
  create: [{ to: { name: 'action', params: { actionId: 'new' } } }],
  deleted: {
    note: 'A restored action matches past events again.',
    restore: (projectId, id) => changeAction(projectId, id, { deleted: false }),
  },
  async find(projectId, search, limit) {
    const { results } = await listActions(projectId, { limit, search });
    return results.map(({ id, name, description }) => ({
      id: String(id),
      label: name,
      hint: description,
      to: { name: 'action', params: { projectId, actionId: id } },
    }));
  },
} satisfies ConsoleResource;

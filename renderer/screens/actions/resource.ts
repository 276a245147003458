import { MousePointerClick } from '@lucide/vue';
import { api } from '../../api/client.ts';
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
    restore: (projectId, id) => api.patch('P/actions/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'actions',
  found: (projectId, { result_id, extra_fields: { name, description } }) => ({
    id: result_id,
    label: name || `Action ${result_id}`,
    hint: description,
    to: { name: 'action', params: { projectId, actionId: result_id } },
  }),
} satisfies ConsoleResource;

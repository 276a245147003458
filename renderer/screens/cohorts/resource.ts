import { CircleDashed } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { formatCountOf } from '../../ui/format.ts';

export const cohortResource = {
  noun: 'cohort',
  activity: 'Cohort',
  one: 'cohort',
  many: 'cohorts',
  icon: CircleDashed,
  order: 40,
  filter: 'Cohorts',
  scope: { read: 'view their members', write: 'create, edit, delete' },
  create: [{ to: { name: 'cohort', params: { cohortId: 'new' } } }],
  deleted: {
    note: 'A restored cohort gets back its criteria or its list of persons.',
    restore: (projectId, id) => api.patch('P/cohorts/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'cohorts',
  found: (projectId, { result_id, extra_fields: { name, description } }) => ({
    id: result_id,
    label: name || `Cohort ${result_id}`,
    hint: description,
    to: { name: 'cohort', params: { projectId, cohortId: result_id } },
  }),
  async fact(projectId, { id }) {
    const { count } = await api.get('P/cohorts/:id/', { projectId, id: Number(id) });
    return count === null ? '' : formatCountOf(count, 'person');
  },
} satisfies ConsoleResource;

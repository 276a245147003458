import { Bell } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { insightName } from '../../ui/insight-name.ts';

export const alertResource = {
  noun: 'alert',
  activity: 'AlertConfiguration',
  one: 'alert',
  many: 'alerts',
  icon: Bell,
  order: 25,
  filter: 'Alerts',
  scope: { read: 'view alerts and their history', write: 'create, edit, snooze, delete' },
  list: 'alerts',
  async find(projectId, search, limit) {
    const { results, count } = await api.get('P/alerts/', { projectId, query: { limit, search } });
    const objects = results.map(({ id, name, insight, state }) => ({
      id,
      label: name || insightName(insight),
      hint: state === 'Firing' ? 'firing' : insight.name || insight.derived_name || undefined,
      to: { name: 'alerts', params: { projectId }, query: { open: id } },
    }));
    return { objects, count };
  },
} satisfies ConsoleResource;

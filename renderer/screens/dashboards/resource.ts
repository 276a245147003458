import { FileUp, LayoutDashboard, LayoutTemplate } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { formatCountOf } from '../../ui/format.ts';

export const dashboardResource = {
  noun: 'dashboard',
  activity: 'Dashboard',
  one: 'dashboard',
  many: 'dashboards',
  icon: LayoutDashboard,
  order: 10,
  filter: 'Dashboards',
  scope: { read: 'view them and their tiles', write: 'create, edit, delete' },
  create: [
    { to: { name: 'dashboards', query: { new: 'blank' } } },
    {
      label: 'New dashboard from template',
      icon: LayoutTemplate,
      to: { name: 'dashboards', query: { new: 'template' } },
    },
    { label: 'New dashboard from file', icon: FileUp, to: { name: 'dashboards', query: { new: 'file' } } },
  ],
  deleted: {
    note: 'A restored dashboard gets back all of its tiles.',
    restore: (projectId, id) => api.patch('P/dashboards/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'dashboards',
  found: (projectId, { result_id, extra_fields: { name, description } }) => ({
    id: result_id,
    label: name || `Dashboard ${result_id}`,
    hint: description,
    to: { name: 'dashboard', params: { projectId, dashboardId: result_id } },
  }),
  async facts(projectId, objects) {
    const { results } = await api.get('P/burrow/dashboard_previews/', { projectId });
    const tiles = new Map(results.map(({ id, layouts }) => [String(id), layouts.length]));
    return new Map(objects.map(({ id }) => [id, formatCountOf(tiles.get(id) ?? 0, 'tile')]));
  },
} satisfies ConsoleResource;

export const dashboardTemplateResource = {
  noun: 'dashboard_template',
  activity: 'DashboardTemplate',
  one: 'dashboard template',
  many: 'dashboard templates',
  order: 101,
  scope: { read: 'view them', write: 'create, edit, delete' },
} satisfies ConsoleResource;

import { ChartLine } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource, CreateCommand } from '../../composables/resources.ts';
import { insightLink } from '../../insights/insight-link.ts';
import { kindOfQuery, KINDS } from '../../insights/kinds.ts';
import { insightName } from '../../ui/insight-name.ts';

const newOfKind = KINDS.map(({ id, noun, icon }, at): CreateCommand => {
  const to = { name: 'insight', params: { insightId: 'new' } };
  if (at === 0) return { icon, to };
  return { label: `New ${noun.toLowerCase()} insight`, icon, to: { ...to, query: { kind: id } } };
});

export const insightResource = {
  noun: 'insight',
  activity: 'Insight',
  one: 'insight',
  many: 'insights',
  icon: ChartLine,
  order: 20,
  filter: 'Insights',
  scope: { read: 'view saved queries', write: 'create, edit, delete' },
  create: [
    ...newOfKind,
    { label: 'New SQL insight', icon: kindOfQuery({ kind: 'HogQLQuery' }).icon, to: { name: 'sql' } },
  ],
  deleted: {
    note: 'A restored insight returns to its dashboards.',
    restore: (projectId, id) => api.patch('P/insights/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'insights',
  found(projectId, { result_id, extra_fields }) {
    const { label: hint, icon } = kindOfQuery(extra_fields.query);
    return {
      id: result_id,
      label: insightName(extra_fields),
      hint,
      icon,
      to: insightLink(projectId, result_id, extra_fields.query),
    };
  },
  async fact(projectId, { id }) {
    const shown = await api.get('P/insights/:id/', { projectId, id, query: { refresh: 'force_cache' } });
    const { previewOf } = await import('../../insights/preview.ts');
    return ('result' in shown && previewOf(shown.query, shown)?.fact) || '';
  },
} satisfies ConsoleResource;

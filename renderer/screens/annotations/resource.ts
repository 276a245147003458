import { StickyNote } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';

export const annotationResource = {
  noun: 'annotation',
  activity: 'Annotation',
  one: 'annotation',
  many: 'annotations',
  icon: StickyNote,
  order: 60,
  filter: 'Annotations',
  scope: { read: 'view annotations on charts', write: 'create and delete' },
  create: [{ to: { name: 'annotations', query: { open: 'new' } } }],
  deleted: {
    note: 'A restored annotation is shown on charts again.',
    restore: (projectId, id) => api.patch('P/annotations/:id/', { projectId, id, body: { deleted: false } }),
  },
  list: 'annotations',
  async find(projectId, search, limit) {
    const { results, count } = await api.get('P/annotations/', { projectId, query: { limit, search } });
    const objects = results.map(({ id, content, date_marker }) => ({
      id: String(id),
      label: content || `Annotation ${id}`,
      hint: date_marker?.slice(0, 10),
      to: { name: 'annotations', params: { projectId }, query: { open: String(id) } },
    }));
    return { objects, count };
  },
} satisfies ConsoleResource;

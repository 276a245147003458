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
} satisfies ConsoleResource;

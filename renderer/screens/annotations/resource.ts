import { StickyNote } from '@lucide/vue';
import { changeAnnotation } from '../../api/annotations.api.ts';
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
    restore: (projectId, id) => changeAnnotation(projectId, id, { deleted: false }),
  },
} satisfies ConsoleResource;

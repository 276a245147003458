import { defineResource } from '../../http/define-resource.ts';

export const annotationResource = defineResource({
  noun: 'annotation',
  activity: 'Annotation',
  table: { name: 'annotations', isLive: 'NOT deleted' },
  history: { path: 'annotations' },
});

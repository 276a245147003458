import type { Feature } from '../../http/define-route.ts';
import { annotationResource } from './annotations.resource.ts';
import { annotationRoutes, type AnnotationRouteParts } from './annotations.routes.ts';
import { createAnnotations, type Annotations } from './annotations.service.ts';

export { type Annotations } from './annotations.service.ts';

export function annotationsFeature(
  needs: Parameters<typeof createAnnotations>[0] & Omit<AnnotationRouteParts, 'annotations'>,
): Feature & { annotations: Annotations } {
  const annotations = createAnnotations(needs);
  const routes = annotationRoutes({ ...needs, annotations });
  return { name: 'annotations', annotations, resources: [annotationResource], routes };
}

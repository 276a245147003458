import type { Feature } from '../../http/define-route.ts';
import { annotationResource } from './annotations.resource.ts';
import { annotationRoutes, type AnnotationRouteParts } from './annotations.routes.ts';
import { createAnnotations } from './annotations.service.ts';

export function annotationsFeature(
  needs: Parameters<typeof createAnnotations>[0] & Omit<AnnotationRouteParts, 'annotations'>,
): Feature {
  const routes = annotationRoutes({ ...needs, annotations: createAnnotations(needs) });
  return { name: 'annotations', resources: [annotationResource], routes };
}

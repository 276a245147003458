export { annotationRoutes } from './annotations.routes.ts';
export { createAnnotations } from './annotations.service.ts';
export { annotationResource } from './annotations.resource.ts';

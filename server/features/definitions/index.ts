export { definitionRoutes } from './definitions.routes.ts';
export { createDefinitions } from './definitions.service.ts';

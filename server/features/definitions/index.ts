export { createDefinitionLog } from './definition-log.ts';
export { definitionRoutes } from './definitions.routes.ts';
export { createDefinitions } from './definitions.service.ts';

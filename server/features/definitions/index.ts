export { createDefinitionLog } from './definition-log.ts';
export { definitionRoutes } from './definitions.routes.ts';
export { listTypedProperties, type TypedPropertyRow } from './definitions.reads.ts';
export { createDefinitions } from './definitions.service.ts';
export { eventDefinitionResource, propertyDefinitionResource } from './definitions.resource.ts';

import type { ManagementRoute } from '../../http/define-route.ts';
import { eventDefinitionRoutes, type DefinitionsParts } from './event-definition-routes.ts';
import { propertyDefinitionRoutes } from './property-definition-routes.ts';

/** Names that events have carried, and what people say of them (management contract 9.8). */
export function definitionRoutes(parts: DefinitionsParts): ManagementRoute[] {
  return [...eventDefinitionRoutes(parts), ...propertyDefinitionRoutes(parts)];
}

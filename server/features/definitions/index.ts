import type { Feature } from '../../http/define-route.ts';
import { FULL_GRANT, type Users } from '../users/index.ts';
import { createDefinitionLog } from './definition-log.ts';
import { eventDefinitionResource, propertyDefinitionResource } from './definitions.resource.ts';
import { definitionRoutes } from './definitions.routes.ts';
import { createDefinitions } from './definitions.service.ts';

export { listTypedProperties } from './definitions.reads.ts';

export function definitionsFeature(
  needs: Parameters<typeof createDefinitionLog>[0] &
    Pick<Parameters<typeof createDefinitions>[0], 'channel'> & { users: Pick<Users, 'findActor'> },
): Feature {
  const definitions = createDefinitions({
    ...needs,
    isUser: (id) => needs.users.findActor(id, FULL_GRANT) !== null,
    log: createDefinitionLog(needs),
  });
  const routes = definitionRoutes({ ...needs, definitions });
  return { name: 'definitions', resources: [eventDefinitionResource, propertyDefinitionResource], routes };
}

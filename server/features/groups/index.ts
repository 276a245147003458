import type { Feature } from '../../http/define-route.ts';
import { groupResource } from './groups.resource.ts';
import { groupRoutes, type GroupsParts } from './groups.routes.ts';
import { createGroups, type Groups } from './groups.service.ts';

export type { CommittedGroups } from './group-unit-of-work.ts';
export { listGroupTypesJson } from './group-json.ts';
export type { GroupLookup } from './group-lookup.ts';
export { type Groups } from './groups.service.ts';

export function groupsFeature(
  needs: Parameters<typeof createGroups>[0] & Omit<GroupsParts, 'groups'>,
): Feature & { groups: Groups } {
  const groups = createGroups(needs);
  return { name: 'groups', groups, resources: [groupResource], routes: groupRoutes({ ...needs, groups }) };
}

export type { CommittedGroups } from './group-unit-of-work.ts';
export { listGroupTypesJson } from './group-json.ts';
export type { GroupLookup } from './group-lookup.ts';
export { groupRoutes } from './groups.routes.ts';
export { createGroups, type Groups } from './groups.service.ts';
export { groupResource } from './groups.resource.ts';

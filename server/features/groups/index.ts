export type { KeptGroups } from './group-book.ts';
export { listGroupTypesJson } from './group-json.ts';
export type { GroupLookup } from './group-lookup.ts';
export { groupRoutes } from './groups.routes.ts';
export { createGroups, type Groups } from './groups.service.ts';

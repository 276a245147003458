export { listGroupTypesJson } from './group-json.ts';
export { groupRoutes } from './groups.routes.ts';
export { createGroups } from './groups.service.ts';

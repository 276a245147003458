export { memberRoutes } from './members.routes.ts';
export { createMembers, type Members } from './members.service.ts';

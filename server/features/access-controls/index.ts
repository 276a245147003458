export { accessControlRoutes } from './access-controls.routes.ts';
export { createAccessControls } from './access-controls.service.ts';
export { deleteManagementOfMember } from './access-controls.store.ts';
export { accessKinds } from './access-kinds.ts';

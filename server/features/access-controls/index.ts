export { accessControlRoutes } from './access-controls.routes.ts';
export { createAccessControls } from './access-controls.service.ts';
export { accessKinds } from './access-kinds.ts';

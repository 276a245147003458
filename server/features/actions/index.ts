export { actionRoutes } from './actions.routes.ts';
export { createActions } from './actions.service.ts';

export type { Action } from './action-row.ts';
export { actionFilter, findActionFilter } from './action-filter.ts';
export { actionRoutes } from './actions.routes.ts';
export { createActions } from './actions.service.ts';
export { findAction } from './actions.store.ts';

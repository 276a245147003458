export type { Action } from './action-row.ts';
export { stepBody } from './actions.contract.ts';
export { actionFilter, findActionFilter, isActionId } from './action-filter.ts';
export { actionRoutes } from './actions.routes.ts';
export { createActions } from './actions.service.ts';
export { findAction, findLiveActionByName } from './actions.store.ts';

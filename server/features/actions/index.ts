import type { Feature } from '../../http/define-route.ts';
import { actionResource } from './actions.resource.ts';
import { actionRoutes, type ActionRouteParts } from './actions.routes.ts';
import { createActions, type ActionParts, type Actions } from './actions.service.ts';

export type { Action } from './action-row.ts';
export type { Actions } from './actions.service.ts';
export { stepBody } from './actions.contract.ts';
export { actionFilter, findActionFilter, isActionId } from './action-filter.ts';
export { findAction, findLiveActionByName, listGoals } from './actions.store.ts';
export { actionResource } from './actions.resource.ts';

export function actionsFeature(
  needs: ActionParts & Omit<ActionRouteParts, 'actions'>,
): Feature & { actions: Actions } {
  const actions = createActions(needs);
  const routes = actionRoutes({ ...needs, actions });
  return { name: 'actions', actions, resources: [actionResource], routes };
}

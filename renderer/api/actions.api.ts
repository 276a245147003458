import type { ActionJson, ActionStep as Step } from '../../server/features/actions/actions.contract.ts';
import { request } from './http.ts';

/** A name for the events that fit one of some steps. */
export type Action = ActionJson;
/** What an event must be to fit: all that the step says. */
export type ActionStep = Step;

export interface ActionName {
  id: number;
  name: string | null;
}

/** What may be written of an action; `steps` are replaced as a whole. */
export interface ActionChange {
  name?: string;
  description?: string;
  tags?: string[];
  steps?: ActionStep[];
  deleted?: boolean;
}

export interface ActionQuery {
  limit: number;
  offset?: number;
  /** Part of the name or of the description. */
  search?: string | undefined;
}

export interface ActionPage {
  count: number;
  next: string | null;
  results: Action[];
}

const actionsOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/actions/${rest}`;

/** The maximum number of actions offered in a choice. */
const MOST = 1000;

/** The actions of a project, by name. */
export async function listActionNames(projectId: number): Promise<ActionName[]> {
  const { results } = await listActions(projectId, { limit: MOST });
  return results;
}

/** Actions of a project, a page at a time, those whose steps were set last first. */
export function listActions(projectId: number, query: ActionQuery): Promise<ActionPage> {
  return request(actionsOf(projectId), { query: { ...query } });
}

/** One action that is not deleted. */
export function getAction(projectId: number, id: number): Promise<Action> {
  return request(actionsOf(projectId, `${id}/`));
}

/** Makes an action; refused (`name`) where a live one is called so. */
export function createAction(projectId: number, action: ActionChange & { name: string }): Promise<Action> {
  return request(actionsOf(projectId), { method: 'POST', body: action });
}

/** Changes an action and returns it as it is then; `{ deleted: true }` deletes it. */
export function changeAction(projectId: number, id: number, change: ActionChange): Promise<Action> {
  return request(actionsOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

import type { Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { ListActionsQuery } from './actions.contract.ts';
import { ACTION, toAction, type Action, type ActionRow } from './action-row.ts';

/** Live actions of a project, those calculated last first, and how many there are in all (management contract 9.7). */
export async function listActions(
  db: Statements,
  projectId: number,
  { search }: ListActionsQuery,
  slice: Slice,
): Promise<{ rows: Action[]; count: number }> {
  const found = `SELECT ${ACTION} FROM actions WHERE project_id = $projectId AND NOT deleted
    ${search === undefined ? '' : 'AND (contains(lower(name), lower($search)) OR contains(lower(description), lower($search)))'}`;
  const params = { projectId, ...(search === undefined ? {} : { search }) };
  const order = '"lastCalculatedAt" DESC NULLS LAST, name, id';
  const { rows, count } = await selectPage<ActionRow>(db, found, params, order, slice);
  return { rows: rows.map(toAction), count };
}

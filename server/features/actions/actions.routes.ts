import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, Reply, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import type { Action } from './action-row.ts';
import {
  action,
  actionPage,
  actionParams,
  createActionBody,
  listActionsQuery,
  updateActionBody,
  type ActionJson,
} from './actions.contract.ts';
import { listActions } from './actions.reads.ts';
import type { Actions } from './actions.service.ts';
import { findAction } from './actions.store.ts';

export interface ActionRouteParts {
  actions: Actions;
  db: Db;
  access: Access;
  users: Users;
}

interface PathContext {
  params: { id: number };
  project: { id: number };
  actor: Actor;
}

export function actionRoutes({ actions, db, access, users }: ActionRouteParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['action:read'], pathObject: 'action' } as const;
  const write = { auth: 'key', scope: ['action:write'], pathObject: 'action', errors: ['unique'] } as const;
  const path = 'P/actions/:id/';

  const jsonOf = (row: Action, actor: Actor): ActionJson => ({
    id: row.id,
    name: row.name,
    description: row.description,
    tags: [...row.tags],
    post_to_slack: row.postToSlack,
    slack_message_format: row.slackMessageFormat,
    steps: [...row.steps],
    created_at: row.createdAt,
    created_by: users.embedded(row.createdBy),
    deleted: row.deleted,
    is_calculating: false,
    last_calculated_at: row.lastCalculatedAt,
    team_id: row.projectId,
    is_action: true,
    bytecode_error: null,
    pinned_at: row.pinnedAt,
    creation_context: null,
    user_access_level: access.levelOf(actor, row.projectId, 'action', row),
  });

  const find = async ({ params, project, actor }: PathContext, needed: 'viewer' | 'editor') => {
    const found = await findAction(db, project.id, params.id);
    if (found === null || (found.deleted && needed === 'viewer')) throw fail('not_found');
    access.check(actor, project.id, 'action', found, needed);
    return found;
  };
  const lookup = (context: PathContext) => find(context, 'editor');

  return [
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/actions/',
      summary: 'Lists actions, most recently modified steps first.',
      query: listActionsQuery,
      response: actionPage,
      handle: async ({ project, query, url, actor }) => {
        const { rows, count } = await listActions(db, project.id, query, readPage(url.searchParams));
        return pageOf(
          url,
          rows.map((row) => jsonOf(row, actor)),
          count,
        );
      },
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/actions/',
      summary: 'Creates an action.',
      body: createActionBody,
      response: action,
      status: 201,
      handle: async ({ project, actor, body }) =>
        Reply.json(201, jsonOf(await actions.create(actor, project.id, body), actor)),
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path,
      summary: 'Retrieves an action.',
      params: actionParams,
      response: action,
      lookup: (context) => find(context, 'viewer'),
      handle: ({ found, actor }) => jsonOf(found, actor),
    }),
    defineRoute({
      ...write,
      method: 'PATCH',
      path,
      summary: 'Updates, deletes (`deleted: true`) or restores an action; omitted fields are not changed.',
      params: actionParams,
      body: updateActionBody,
      response: action,
      lookup,
      handle: async ({ project, params, actor, body }) =>
        jsonOf(await actions.update(actor, project.id, params.id, body), actor),
    }),
    defineRoute({
      ...write,
      method: 'PUT',
      path,
      summary: 'Updates an action like PATCH; the name is required.',
      params: actionParams,
      body: createActionBody,
      response: action,
      lookup,
      handle: async ({ project, params, actor, body }) =>
        jsonOf(await actions.update(actor, project.id, params.id, body), actor),
    }),
    refusedDelete(path),
  ];
}

import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import type { Action } from './action-row.ts';
import { type ActionJson, actionsApi } from './actions.contract.ts';
import { listActions } from './actions.reads.ts';
import type { Actions } from './actions.service.ts';
import { findAction } from './actions.store.ts';

const route = routesOf(actionsApi);

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
    route('GET P/actions/', {
      ...read,
      summary: 'Lists actions, most recently modified steps first.',
      handle: async ({ project, query, url, actor }) => {
        const { rows, count } = await listActions(db, project.id, query, readPage(url.searchParams));
        return pageOf(
          url,
          rows.map((row) => jsonOf(row, actor)),
          count,
        );
      },
    }),
    route('POST P/actions/', {
      ...write,
      summary: 'Creates an action.',
      status: 201,
      handle: async ({ project, actor, body }) =>
        Reply.json(201, jsonOf(await actions.create(actor, project.id, body), actor)),
    }),
    route('GET P/actions/:id/', {
      ...read,
      summary: 'Retrieves an action.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ found, actor }) => jsonOf(found, actor),
    }),
    route('PATCH P/actions/:id/', {
      ...write,
      summary: 'Updates, deletes (`deleted: true`) or restores an action; omitted fields are not changed.',
      lookup,
      handle: async ({ project, params, actor, body }) =>
        jsonOf(await actions.update(actor, project.id, params.id, body), actor),
    }),
    route('PUT P/actions/:id/', {
      ...write,
      summary: 'Updates an action like PATCH; the name is required.',
      lookup,
      handle: async ({ project, params, actor, body }) =>
        jsonOf(await actions.update(actor, project.id, params.id, body), actor),
    }),
    refusedDelete(path),
  ];
}

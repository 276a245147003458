import type { IncomingMessage } from 'node:http';
import { fail } from '../../errors.ts';
import {
  noResource,
  Reply,
  routesOf,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
} from '../../http/define-route.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';
import { copiesApi, type CopyJson } from './copies.contract.ts';
import type { Copies, CopyOrder, OwnAddress } from './copies.service.ts';
import type { StoredCopy } from './copies.store.ts';

const route = routesOf(copiesApi);
const FULL = noResource('It reads or writes all of the project with the rights of its user.', ['*']);

/** Copies of a project to or from other hosts; for admins, since all that the project has leaves this server. */
export function copyRoutes(copies: Copies): ManagementRoute[] {
  const find = async ({
    actor,
    project,
    params,
  }: {
    actor: Actor;
    project: { id: number };
    params: { id: string };
  }) => {
    checkAdmin(actor);
    return await copies.find(project.id, params.id);
  };
  const begin = async (
    { actor, project, req }: { actor: Actor; project: ProjectRef; req: IncomingMessage },
    order: CopyOrder,
  ) => Reply.json(201, jsonOf(await copies.begin(actor, project, order, ownAddress(req))));
  return [
    route('GET P/burrow/copies/', {
      auth: 'key',
      scope: FULL,
      summary: 'Lists the copies of a project to and from other hosts, the newest first.',
      errors: ['permission_denied'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async ({ project }) => ({ results: (await copies.list(project.id)).map(jsonOf) }),
    }),
    route('POST P/burrow/copies/', {
      auth: 'key',
      scope: FULL,
      summary:
        'Begins to copy the project to a host with the API of PostHog, or with dry_run only counts what there is to copy.',
      status: 201,
      errors: ['permission_denied', 'invalid_input', 'required', 'conflict'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async (request) => {
        const { host, host_project: hostProject = null, dry_run: isDryRun, ...keys } = request.body;
        const [hostApiKey, projectKey] = (['host_api_key', 'project_key'] as const).map(
          (attr) => keys[attr] ?? (isDryRun ? '' : refuseMissing(attr)),
        ) as [string, string];
        return await begin(request, {
          direction: 'to_host',
          host,
          hostProject,
          hostApiKey,
          projectKey,
          isDryRun,
        });
      },
    }),
    route('POST P/burrow/imports/from_host/', {
      auth: 'key',
      scope: FULL,
      summary:
        'Begins to copy a project of a host with the API of PostHog to this one: its events as an import, then persons, groups and definitions.',
      status: 201,
      errors: ['permission_denied', 'invalid_input', 'conflict'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: (request) => {
        const { host, host_api_key: hostApiKey, project_id: hostProject, dry_run: isDryRun } = request.body;
        return begin(request, {
          direction: 'from_host',
          host,
          hostProject,
          hostApiKey,
          projectKey: null,
          isDryRun,
        });
      },
    }),
    route('GET P/burrow/copies/:id/', {
      auth: 'key',
      scope: FULL,
      summary: 'Retrieves a copy, and how far it is.',
      errors: ['permission_denied'],
      lookup: find,
      handle: ({ found }) => jsonOf(found),
    }),
    route('DELETE P/burrow/copies/:id/', {
      auth: 'key',
      scope: FULL,
      summary: 'Ends a copy and removes it from the list. What was copied stays.',
      status: 204,
      errors: ['permission_denied'],
      lookup: find,
      handle: async ({ found }) => {
        await copies.remove(found);
        return Reply.empty(204);
      },
    }),
    route('POST P/burrow/copies/:id/resume/', {
      auth: 'key',
      scope: FULL,
      summary: 'Goes on with a copy that failed, was canceled or interrupted. It needs the keys again.',
      errors: ['permission_denied', 'invalid_input', 'conflict'],
      lookup: find,
      handle: async ({ actor, project, found, body, req }) =>
        jsonOf(
          await copies.resume(
            actor,
            project,
            found,
            { hostApiKey: body.host_api_key, projectKey: body.project_key ?? null },
            ownAddress(req),
          ),
        ),
    }),
    route('POST P/burrow/copies/:id/cancel/', {
      auth: 'key',
      scope: FULL,
      summary: 'Ends a copy. What was copied stays.',
      errors: ['permission_denied'],
      lookup: find,
      handle: async ({ found }) => jsonOf(await copies.cancel(found)),
    }),
  ];
}

function refuseMissing(attr: string): never {
  throw fail('required', { attr });
}

function checkAdmin(actor: Actor): void {
  if (actor.organizationLevel < ADMIN)
    throw fail('permission_denied', { detail: 'Only admins can copy a project to or from another host.' });
}

/** Where the request has reached this server. */
function ownAddress({ socket }: IncomingMessage): OwnAddress {
  return { host: socket.localAddress ?? '127.0.0.1', port: socket.localPort! };
}

function jsonOf(copy: StoredCopy): CopyJson {
  const { progress } = copy;
  return {
    id: copy.id,
    direction: copy.direction,
    host: copy.host,
    host_project: copy.hostProject,
    is_dry_run: copy.isDryRun,
    state: copy.state,
    phase: progress.phase,
    totals: progress.totals,
    copied: progress.copied,
    added_events: progress.completions,
    not_copied: progress.notCopied,
    checks: progress.checks,
    import_id: copy.importId,
    downloaded_events: progress.downloaded.events,
    problem: copy.problem,
    created_at: copy.createdAt,
    finished_at: copy.finishedAt,
  };
}

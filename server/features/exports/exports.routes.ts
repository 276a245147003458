import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
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
import type { Projects } from '../projects/index.ts';
import { exportsApi } from './exports.contract.ts';
import type { Exports } from './exports.service.ts';

const route = routesOf(exportsApi);
const ARCHIVE = 'application/zip';

/** It holds what no narrower scope may read. */
const WHOLE_PROJECT = noResource('An export contains everything of a project.', ['*']);

export function exportRoutes(exports: Exports, projects: Pick<Projects, 'levelOf'>): ManagementRoute[] {
  const shared = { auth: 'key', scope: WHOLE_PROJECT, errors: ['permission_denied'] } as const;

  function checkAdmin(actor: Actor, project: ProjectRef): void {
    if (projects.levelOf(actor, project.id) < ADMIN)
      throw fail('permission_denied', {
        detail: 'Only admins of the project can export it, because an export contains everything of it.',
      });
  }

  function find({ actor, project, params }: { actor: Actor; project: ProjectRef; params: { id: string } }) {
    checkAdmin(actor, project);
    return exports.find(project.id, params.id);
  }

  return [
    route('GET P/burrow/exports/', {
      ...shared,
      summary: 'Lists the exports of a project since the server was started: at most one.',
      lookup: ({ actor, project }) => checkAdmin(actor, project),
      handle: ({ project }) => ({ results: exports.list(project.id) }),
    }),
    route('POST P/burrow/exports/', {
      ...shared,
      summary:
        'Starts to export events, persons, groups and definitions to an archive, which replaces an earlier one of the project.',
      status: 201,
      errors: ['permission_denied', 'invalid_input', 'conflict'],
      lookup: ({ actor, project }) => checkAdmin(actor, project),
      handle: async ({ actor, project, body }) => Reply.json(201, await exports.start(actor, project, body)),
    }),
    route('GET P/burrow/exports/:id/', {
      ...shared,
      summary: 'Retrieves an export, and how far it is.',
      lookup: find,
      handle: ({ found }) => found,
    }),
    route('DELETE P/burrow/exports/:id/', {
      ...shared,
      summary: 'Ends an export and deletes its archive.',
      status: 204,
      lookup: find,
      handle: async ({ project, found }) => {
        await exports.remove(project.id, found.id);
        return Reply.empty(204);
      },
    }),
    route('POST P/burrow/exports/:id/cancel/', {
      ...shared,
      summary: 'Ends an export that is running.',
      lookup: find,
      handle: ({ project, found }) => exports.cancel(project.id, found.id),
    }),
    route('GET P/burrow/exports/:id/file/', {
      ...shared,
      summary: 'Downloads the archive of an export that is complete.',
      files: [ARCHIVE],
      lookup: (context) => {
        const { state, bytes, name, id } = find(context);
        if (state !== 'done') throw fail('not_found');
        return { path: exports.pathOf(id), bytes: bytes!, name };
      },
      handle: ({ found: { path, bytes, name } }) =>
        Reply.stream(
          {
            'Content-Type': ARCHIVE,
            'Content-Length': String(bytes),
            'Content-Disposition': `attachment; filename="${name}"`,
            'Cache-Control': 'no-store',
          },
          async (res) => {
            try {
              await pipeline(createReadStream(path), res);
            } catch (error) {
              // The client has disconnected.
              if (!res.destroyed) throw error;
            }
          },
        ),
    }),
  ];
}

import { pipeline } from 'node:stream/promises';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, routesOf, type ManagementRoute } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { importsApi, type ImportJson, type ImportMappingJson } from './imports.contract.ts';
import type { Imports, ShownImport } from './imports.service.ts';
import { deleteMapping, listMappings, saveMapping, type StoredMapping } from './imports.store.ts';

const route = routesOf(importsApi);
const FILE = 'application/octet-stream';

export function importRoutes(imports: Imports, { db, clock }: { db: Db; clock: Clock }): ManagementRoute[] {
  return [
    route('GET P/burrow/imports/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the imports of a project, the newest first.',
      handle: async ({ project }) => ({ results: (await imports.list(project.id)).map(jsonOf) }),
    }),
    route('POST P/burrow/imports/', {
      auth: 'key',
      scope: ['project:write'],
      summary:
        'Uploads a file whose rows are to become events. The body is the file; nothing is imported yet.',
      receives: FILE,
      status: 201,
      errors: ['invalid_input'],
      handle: async ({ actor, project, query, req }) =>
        Reply.json(
          201,
          jsonOf(
            await imports.receive(
              actor,
              project,
              query.name,
              req,
              Number(req.headers['content-length'] ?? 0) || 0,
            ),
          ),
        ),
    }),
    route('GET P/burrow/imports/:id/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves an import, and how far it is.',
      handle: async ({ project, params }) => jsonOf(await imports.find(project.id, params.id)),
    }),
    route('DELETE P/burrow/imports/:id/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Ends an import and removes its file. Events that are stored stay.',
      status: 204,
      lookup: ({ project, params }) => imports.find(project.id, params.id),
      handle: async ({ found }) => {
        await imports.remove(found);
        return Reply.empty(204);
      },
    }),
    route('POST P/burrow/imports/:id/preview/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Returns what the file seems to be, and what its first rows become.',
      errors: ['invalid_input', 'conflict'],
      lookup: ({ project, params }) => imports.find(project.id, params.id),
      handle: async ({ found, body }) => await imports.preview(found, body),
    }),
    route('POST P/burrow/imports/:id/start/', {
      auth: 'key',
      scope: ['project:write'],
      summary:
        'Starts an import, or with dry_run only counts what it would do. One that failed or was canceled goes on.',
      errors: ['invalid_input', 'conflict'],
      lookup: ({ project, params }) => imports.find(project.id, params.id),
      handle: async ({ actor, project, found, body: { dry_run: isDryRun, ...settings } }) =>
        jsonOf(await imports.start(actor, project, found, settings, isDryRun)),
    }),
    route('POST P/burrow/imports/:id/cancel/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Ends an import. Events that are stored stay.',
      lookup: ({ project, params }) => imports.find(project.id, params.id),
      handle: async ({ found }) => jsonOf(await imports.cancel(found)),
    }),
    route('GET P/burrow/imports/:id/rejected/', {
      auth: 'key',
      scope: ['project:read'],
      // They are what events would have been.
      andScope: ['query:read'],
      summary: 'Downloads the rows that were not imported, to mend them and import them again.',
      files: [FILE],
      lookup: ({ project, params }) => imports.find(project.id, params.id),
      handle: async ({ found }) => {
        const rows = await imports.readRejected(found);
        return Reply.stream(
          {
            'Content-Type': FILE,
            'Content-Disposition': `attachment; filename="${rejectedName(found)}"`,
            'Cache-Control': 'no-store',
          },
          async (res) => {
            try {
              await pipeline(rows, res);
            } catch (error) {
              // The client has disconnected.
              if (!res.destroyed) throw error;
            }
          },
        );
      },
    }),
    route('GET P/burrow/import_mappings/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the settings of imports that were saved with a name.',
      handle: async ({ project }) => ({ results: (await listMappings(db, project.id)).map(mappingJsonOf) }),
    }),
    route('POST P/burrow/import_mappings/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Saves settings of an import with a name; those of the same name are replaced.',
      status: 201,
      handle: async ({ project, body: { name, settings } }) =>
        Reply.json(
          201,
          mappingJsonOf(
            await db.transaction((tx) =>
              saveMapping(tx, { projectId: project.id, name, settings, now: clock() }),
            ),
          ),
        ),
    }),
    route('DELETE P/burrow/import_mappings/:id/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes saved settings of an import.',
      status: 204,
      handle: async ({ project, params }) => {
        if (!(await deleteMapping(db, project.id, params.id))) throw fail('not_found');
        return Reply.empty(204);
      },
    }),
  ];
}

/** Rows of Parquet are written as lines of JSON. */
function rejectedName({ name }: ShownImport): string {
  const [, stem, ending] = /^(.*?)(\.(?:csv|tsv|jsonl?|ndjson|log|txt))?(?:\.\w+)?$/i.exec(name)!;
  const plain = stem!.replaceAll(/[^\w.-]+/g, '-').slice(0, 100) || 'file';
  return `${plain}-not-imported${ending ?? '.jsonl'}`;
}

function jsonOf(found: ShownImport): ImportJson {
  const { id, name, bytes, state, settings, progress, report, problem } = found;
  return {
    id,
    name,
    bytes,
    state,
    settings,
    progress,
    rows_per_second: found.rowsPerSecond,
    seconds_left: found.secondsLeft,
    report,
    problem,
    created_at: found.createdAt,
    started_at: found.startedAt,
    finished_at: found.finishedAt,
  };
}

function mappingJsonOf({ id, name, settings, createdAt }: StoredMapping): ImportMappingJson {
  return { id, name, settings, created_at: createdAt };
}

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fail } from '../../errors.ts';
import { noResource, Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type BackupJson, type BackupListJson, type MadeBackupJson, backupsApi } from './backups.contract.ts';
import type { Backups, KnownBackup, LastRestore, MadeBackup } from './backups.service.ts';
import { ADMIN, OWNER } from '../../lib/member-levels.contract.ts';

const route = routesOf(backupsApi);

const MEDIA_TYPE = 'application/vnd.duckdb';

/** Copies of everything that the server stores, for users who may decide for all of it. */
const WHOLE_SERVER = noResource('A backup contains every project and every secret of the server.', ['*']);

export function backupRoutes(backups: Backups): ManagementRoute[] {
  return [
    route('GET /api/burrow/backup/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the backups in the data folder.',
      errors: ['permission_denied'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async () => ({
        folder: backups.folder,
        is_making: backups.isMaking,
        last_restore: restoreJsonOf(backups.lastRestore),
        results: (await backups.list()).map(jsonOf),
      }),
    }),
    route('POST /api/burrow/backup/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Creates and verifies a backup of the database while events are ingested.',
      status: 201,
      errors: ['permission_denied', 'nothing_on_disk', 'backup_under_way', 'backup_failed'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async () => madeJsonOf(await backups.make()),
    }),
    route('GET /api/burrow/backup/:name/', {
      auth: 'key',
      // It holds what no narrower scope may read.
      scope: WHOLE_SERVER,
      summary: 'Downloads a backup.',
      files: [MEDIA_TYPE],
      errors: ['permission_denied'],
      lookup({ actor, params }) {
        checkAdmin(actor);
        return backups.find(params.name);
      },
      handle: ({ found }) =>
        Reply.stream(
          {
            'Content-Type': MEDIA_TYPE,
            'Content-Length': String(found.bytes),
            'Content-Disposition': `attachment; filename="${found.name}"`,
            'Cache-Control': 'no-store',
          },
          async (res) => {
            try {
              await pipeline(createReadStream(found.path), res);
            } catch (error) {
              // The client has disconnected.
              if (!res.destroyed) throw error;
            }
          },
        ),
    }),
    route('POST /api/burrow/backup/:name/restore/', {
      auth: 'key',
      // Whose keys and what rights are valid afterwards, the backup decides.
      scope: WHOLE_SERVER,
      summary: 'Replaces the database with a backup and restarts the server; the current database is kept.',
      status: 202,
      errors: ['permission_denied', 'backup_under_way', 'backup_unreadable'],
      lookup({ actor, params }) {
        checkOwner(actor);
        return backups.find(params.name);
      },
      handle: async ({ found }) => ({ sign_in_token: await backups.restore(found.name) }),
    }),
    route('DELETE /api/burrow/backup/:name/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes a backup.',
      status: 204,
      errors: ['permission_denied'],
      lookup({ actor, params }) {
        checkAdmin(actor);
        return backups.find(params.name);
      },
      handle: async ({ found }) => {
        await backups.remove(found.name);
        return Reply.empty(204);
      },
    }),
  ];
}

function checkAdmin({ organizationLevel }: Actor): void {
  if (organizationLevel < ADMIN)
    throw fail('permission_denied', {
      detail: 'Only admins can view and create backups, because they contain all data.',
    });
}

function checkOwner({ organizationLevel }: Actor): void {
  if (organizationLevel < OWNER)
    throw fail('permission_denied', {
      detail: 'Only the owner can restore a backup, because members and API keys become those of the backup.',
    });
}

function restoreJsonOf(last: LastRestore | null): BackupListJson['last_restore'] {
  return last && { is_done: last.isDone, text: last.text, at: new Date(last.at).toISOString() };
}

function jsonOf({ name, bytes, createdAt, holds }: KnownBackup): BackupJson {
  return {
    name,
    bytes,
    created_at: new Date(createdAt).toISOString(),
    schema_version: holds?.schema ?? null,
    events: holds?.events ?? null,
  };
}

function madeJsonOf({ holds, ...made }: MadeBackup): MadeBackupJson {
  const { schema, events, persons, groups, rows } = holds;
  return {
    name: made.name,
    bytes: made.bytes,
    created_at: new Date(made.createdAt).toISOString(),
    path: made.path,
    schema_version: schema,
    events,
    persons,
    groups,
    rows,
    milliseconds: made.milliseconds,
  };
}

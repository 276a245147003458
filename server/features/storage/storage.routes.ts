import type { ServiceChannel } from '../../db/client.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import type { StorageReport } from '../../warehouse/duckdb/upkeep.ts';
import type { Projects } from '../projects/index.ts';
import { storageJson } from './storage-json.ts';
import { storageReport } from './storage.contract.ts';

/** `channel` leads to the thread of the store. */
export function storageRoutes(deps: { channel: ServiceChannel; projects: Projects }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/burrow/storage/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Shows how much of the disk the database takes, and how much of it each project.',
      response: storageReport,
      handle: async ({ actor }) =>
        storageJson(
          await deps.channel.call<StorageReport>({ kind: 'storage.report' }),
          await deps.projects.listFor(actor),
        ),
    }),
  ];
}

import type { ServiceChannel } from '../../db/client.ts';
import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { StorageReport } from '../../warehouse/duckdb/upkeep.ts';
import type { Projects } from '../projects/index.ts';
import { sizesOf, storageJson } from './storage-json.ts';
import { storageApi } from './storage.contract.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(storageApi);

/** `channel` leads to the thread of the store. */
export function storageRoutes(deps: { channel: ServiceChannel; projects: Projects }): ManagementRoute[] {
  const readReport = () => deps.channel.call<StorageReport>({ kind: 'storage.report' });
  return [
    route('GET /api/burrow/storage/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves the disk usage of the database, in total and per project.',
      handle: async ({ actor }) => storageJson(await readReport(), await deps.projects.listFor(actor)),
    }),
    route('POST /api/burrow/storage/compact/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Compacts recent events and writes a checkpoint now instead of when the server is idle.',
      errors: ['permission_denied'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', { detail: 'Only admins can compact the database file.' });
      },
      handle: async () => {
        const started = performance.now();
        const before = sizesOf(await readReport());
        await deps.channel.call({ kind: 'storage.compact' });
        const after = sizesOf(await readReport());
        const freed = before.file_bytes + before.wal_bytes - after.file_bytes - after.wal_bytes;
        const milliseconds = Math.round(performance.now() - started);
        return { before, after, freed_bytes: freed, milliseconds };
      },
    }),
  ];
}

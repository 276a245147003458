import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';
import type { OpenedWarehouse } from './open-warehouse.ts';
import { warehouseApi } from './warehouse.contract.ts';

const route = routesOf(warehouseApi);

/** The warehouse of the server; null: it was started without one. */
export function warehouseRoutes(warehouse: OpenedWarehouse | null): ManagementRoute[] {
  return [
    route('GET /api/burrow/warehouse/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves how far ClickHouse beside the file has come, if there is one.',
      handle: async () => ({ warehouse: (await warehouse?.status()) ?? null }),
    }),
    route('POST /api/burrow/warehouse/check/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Compares the rows of the file with those of ClickHouse, by counts and checksums.',
      errors: ['permission_denied', 'not_found', 'warehouse_away'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', { detail: 'Only admins can check the warehouse.' });
        if (warehouse === null)
          throw fail('not_found', { detail: 'This server was started without --warehouse.' });
      },
      handle: () => warehouse!.check(),
    }),
  ];
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feature } from '../../http/define-route.ts';
import type { WarehouseAddress } from '../../lib/warehouse-address.ts';
import type { OpenedWarehouse, WarehouseNeeds } from './open-warehouse.ts';
import { BATCH_FILE } from './stream-to-warehouse.ts';
import { warehouseRoutes } from './warehouse.routes.ts';

export type { WarehouseCheckJson, WarehouseJson } from './warehouse.contract.ts';

/** ClickHouse beside the file, where the server was started with one; its client is loaded only then. */
export async function warehouseFeature({
  config,
  ...needs
}: Omit<WarehouseNeeds, 'address' | 'config'> & {
  config: WarehouseNeeds['config'] & { warehouse: WarehouseAddress | null };
}): Promise<Feature & { warehouse: OpenedWarehouse | null }> {
  const { warehouse: address } = config;
  // A batch that was on its way when the process ended, of a server that has no warehouse any more.
  if (address === null && !config.ephemeral) await rm(join(config.dataDir, BATCH_FILE), { force: true });
  const warehouse =
    address === null
      ? null
      : await (await import('./open-warehouse.ts')).openWarehouse({ ...needs, config, address });
  return {
    name: 'warehouse',
    warehouse,
    routes: warehouseRoutes(warehouse),
    close: async () => await warehouse?.close(),
  };
}

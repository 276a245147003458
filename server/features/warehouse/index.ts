import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceChannel } from '../../db/client.ts';
import type { Feature } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { WarehouseAddress } from '../../lib/warehouse-address.ts';
import { openWarehouse, type Warehouse } from '../../warehouse/clickhouse/client.ts';
import type { QueryWarehouse } from '../query/index.ts';
import { streamToWarehouse, type WarehouseStream } from './stream-to-warehouse.ts';

interface WarehouseNeeds {
  address: WarehouseAddress;
  config: { ephemeral: boolean; dataDir: string };
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** ClickHouse beside the file: it receives what is committed, and answers questions once it has everything (docs/growing.md). */
export async function warehouseFeature({
  address,
  config,
  ...needs
}: WarehouseNeeds): Promise<Feature & { warehouse: QueryWarehouse & { stream: WarehouseStream } }> {
  const folder = config.ephemeral ? join(tmpdir(), `burrow-warehouse-${needs.newId()}`) : config.dataDir;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const clickhouse = openWarehouse(address);
  const stream = streamToWarehouse({ ...needs, warehouse: clickhouse, folder });
  const { database, analytics } = clickhouse;
  return {
    name: 'warehouse',
    routes: [],
    warehouse: {
      database,
      analytics,
      stream,
      get isComplete() {
        return stream.isComplete;
      },
      caughtUp: (ms) => stream.caughtUp(ms),
      fillCohorts: cohortFiller(clickhouse),
    },
    async close() {
      await stream.stop();
      await clickhouse.close();
    },
  };
}

/** Members of cohorts follow from rules that the file evaluates; the warehouse has them as of the last question about them. */
function cohortFiller(clickhouse: Warehouse): QueryWarehouse['fillCohorts'] {
  const filled = new Map<string, { version: number; hash: string }>();
  return async (projectId, ids, version, read) => {
    for (const id of ids) {
      const key = `${projectId}:${id}`;
      const before = filled.get(key);
      if (before?.version === version) continue;
      const members = await read(id);
      const hash = createHash('sha256').update(members.toSorted().join()).digest('base64');
      if (before?.hash !== hash) {
        const inserted = Date.now() * 1_000;
        const rows = members.map((person_id) => ({ project_id: projectId, cohort_id: id, person_id, version: inserted }));
        await clickhouse.insertRows('cohort_people', rows);
        await clickhouse.run(
          `DELETE FROM ${clickhouse.database}.cohort_people WHERE project_id = ${projectId} AND cohort_id = ${id} AND version < ${inserted}`,
        );
      }
      filled.set(key, { version, hash });
    }
  };
}

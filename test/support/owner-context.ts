import type { DuckDBInstance } from '@duckdb/node-api';
import { createDiskWatch } from '../../server/db/disk-watch.ts';
import type { OwnerContext } from '../../server/db/owner.ts';
import { silentLog } from '../../server/lib/log.ts';

/** What a part of the store's thread is opened with, over an instance of the test's own, in memory. */
export function ownerContext(instance: DuckDBInstance, more: Partial<OwnerContext> = {}): OwnerContext {
  return {
    path: null,
    resources: {
      whileQuerying: (work) => work(),
      whileMoving: (work) => work(),
      whileSorting: (work) => work(),
      pin: () => () => {},
      giveBack: async () => {},
      shedCache: async () => {},
      close: async () => {},
    },
    options: {},
    connect: () => instance.connect(),
    post: () => {},
    log: silentLog,
    notices: { raise: () => {}, clear: () => {} },
    marker: { around: (commit) => commit(), note: () => {} },
    damage: { seen: () => false },
    disk: createDiskWatch(null, { raise: () => {}, clear: () => {} }),
    clock: Date.now,
    ...more,
  };
}

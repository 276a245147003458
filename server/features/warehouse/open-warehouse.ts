import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceChannel } from '../../db/client.ts';
import { WarehouseAwayError, type Analytics } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { CLICKHOUSE_DICTIONARIES } from '../../hogql/print/clickhouse/dictionaries.ts';
import { isoOrNull } from '../../lib/iso-date.ts';
import type { Log } from '../../lib/log.ts';
import type { WarehouseAddress } from '../../lib/warehouse-address.ts';
import { outsideAgent, readOutsideUrl } from '../../outgoing/call-outside.ts';
import { connectToClickhouse, type Clickhouse } from '../../warehouse/clickhouse/client.ts';
import type { CohortQuestion, QueryWarehouse } from '../query/index.ts';
import { checkWarehouse } from './check-warehouse.ts';
import { streamToWarehouse } from './stream-to-warehouse.ts';
import type { WarehouseCheckJson, WarehouseJson } from './warehouse.contract.ts';

export interface WarehouseNeeds {
  address: WarehouseAddress;
  config: { ephemeral: boolean; dataDir: string };
  analytics: Analytics;
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** ClickHouse beside the file: it receives what is committed, and answers questions once it has everything. */
export interface OpenedWarehouse extends QueryWarehouse {
  status(): Promise<WarehouseJson>;
  /** Throws warehouse_away. */
  check(): Promise<WarehouseCheckJson>;
  close(): Promise<void>;
}

export async function openWarehouse({
  address,
  config,
  analytics,
  ...needs
}: WarehouseNeeds): Promise<OpenedWarehouse> {
  const folder = config.ephemeral ? join(tmpdir(), `burrow-warehouse-${needs.newId()}`) : config.dataDir;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const clickhouse = connectToClickhouse(address, {
    agent: outsideAgent(readOutsideUrl(address.url)),
    dictionaries: CLICKHOUSE_DICTIONARIES,
  });
  const stream = streamToWarehouse({ ...needs, clickhouse, folder });
  return {
    database: address.database,
    analytics: clickhouse.analytics,
    get isComplete() {
      return stream.isComplete;
    },
    caughtUp: (ms) => stream.caughtUp(ms),
    fillCohorts: cohortFiller(clickhouse, needs.clock),
    async status() {
      const { state, problem, waitingEvents, waitingSince, copyRowsLeft, copyRows, lastSentAt } =
        stream.status;
      const size = state === 'away' || state === 'starting' ? null : await sizeOf(clickhouse);
      return {
        host: new URL(address.url).host,
        database: address.database,
        cluster: address.cluster,
        state,
        problem,
        answers: stream.isComplete,
        waiting_events: waitingEvents,
        waiting_since: isoOrNull(waitingSince),
        copy_rows_left: copyRowsLeft,
        copy_rows: copyRows,
        last_sent_at: isoOrNull(lastSentAt),
        bytes: size?.bytes ?? null,
        rows: size?.rows ?? null,
      };
    },
    async check() {
      await stream.caughtUp(CHECK_WAIT_MS);
      try {
        return await checkWarehouse(analytics, clickhouse);
      } catch (error) {
        throw error instanceof WarehouseAwayError ? fail('warehouse_away') : error;
      }
    },
    async close() {
      await stream.stop();
      await clickhouse.close();
      if (config.ephemeral) await rm(folder, { recursive: true, force: true });
    },
  };
}

const CHECK_WAIT_MS = 10_000;

/** What the database takes there; null where its user may not see that. */
async function sizeOf({ database, analytics }: Clickhouse): Promise<{ bytes: number; rows: number } | null> {
  try {
    const [size] = await analytics.all<{ c0: number; c1: number }>(
      `SELECT sum(bytes_on_disk), sumIf(rows, table IN ('events', 'events_local')) FROM system.parts
       WHERE active AND database = {database:String}`,
      { database },
    );
    return size === undefined ? null : { bytes: Number(size.c0), rows: Number(size.c1) };
  } catch {
    return null;
  }
}

/** Members of cohorts follow from rules that the file evaluates; ClickHouse has them as of the last question about them. */
function cohortFiller(clickhouse: Clickhouse, clock: Clock): QueryWarehouse['fillCohorts'] {
  let last = 0;
  const filled = new Map<string, { asOf: string; hash: string }>();

  /** Returns a hash of the members. */
  async function fill(projectId: number, id: number, { version, read }: CohortQuestion): Promise<string> {
    const key = `${projectId}:${id}`;
    const before = filled.get(key);
    // The question itself may be long.
    const asOf = hashOf(version);
    if (before?.asOf === asOf) return before.hash;
    const members = await read();
    const hash = hashOf(members.toSorted().join());
    if (before?.hash !== hash) {
      const inserted = (last = Math.max(clock() * 1_000, last + 1));
      const rows = members.map((person) => ({
        project_id: projectId,
        cohort_id: id,
        person_id: person,
        version: inserted,
      }));
      await clickhouse.insertRows('cohort_people', rows);
      const older = `project_id = ${projectId} AND cohort_id = ${id} AND version < ${inserted}`;
      await clickhouse.deleteRows('cohort_people', older);
    }
    filled.set(key, { asOf, hash });
    return hash;
  }

  return async (projectId, ids, find) => {
    const hashes = [];
    for (const id of ids) hashes.push(await fill(projectId, id, await find(id)));
    return hashes.join();
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

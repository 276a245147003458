import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterEach } from 'vitest';
import type { DefinitionOrder } from '../../server/features/definitions/definition-orders.ts';
import { openDefinitions } from '../../server/features/definitions/definitions-thread.ts';
import { migrate } from '../../server/db/migrate.ts';
import { newUuid } from '../../server/lib/ids.ts';
import { silentLog } from '../../server/lib/log.ts';
import { createPropertyLists } from '../../server/lib/property-lists.ts';
import type { CommitParticipant } from '../../server/warehouse/duckdb/commit-participant.ts';
import type { EventRow } from '../../server/warehouse/duckdb/event-row.ts';
import { openEventStore, type EventStore } from '../../server/warehouse/duckdb/event-store.ts';
import type { Appended } from '../../server/warehouse/duckdb/event-writer.ts';
import { ownerContext } from './owner-context.ts';

/** The time of the store's clock, and of an event that names none; Unix microseconds. */
export const NOON = Date.UTC(2026, 10, 20, 12) * 1_000;
export const MINUTE = 60_000_000;

const lists = createPropertyLists([]);

/** An event as capture makes it, or, without a list, one whose properties have to be looked at. */
export function row(
  event: string,
  properties: Record<string, unknown>,
  { isListed = true, ...more }: Partial<EventRow> & { isListed?: boolean } = {},
): EventRow {
  return {
    projectId: 1,
    uuid: newUuid(),
    hasClientUuid: false,
    event,
    distinctId: 'u1',
    personId: 1,
    timestamp: NOON,
    properties: JSON.stringify(properties),
    elementsChain: null,
    receivedAt: NOON,
    historical: false,
    lib: '',
    libVersion: '',
    source: '/batch',
    isAnonymous: false,
    identity: null,
    derived: null,
    propertyList: isListed ? lists.ofObject(properties) : null,
    addedProperties: [],
    ...more,
  };
}

/** Fails the commits of rows with the event name `fails`, after the definitions were written. */
const failing = async (): Promise<CommitParticipant> => {
  let fails = false;
  return {
    prepare: () => null,
    apply: (rows) => void (fails = rows.some(({ event }) => event === 'fails')),
    write: () => (fails ? Promise.reject(new Error('No')) : null),
    committed: () => undefined,
    rolledBack: () => undefined,
  };
};

/** Stores of events with their definitions, in memory; each test opens its own, which ends with it. */
export function useDefinitionStore() {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  let store: EventStore;
  const warnings: string[] = [];

  async function openStore(): Promise<void> {
    const context = ownerContext(instance, {
      log: { ...silentLog, warn: (_, message) => void warnings.push(message) },
      clock: () => NOON / 1_000,
    });
    store = await openEventStore(context, [openDefinitions, failing]);
  }

  async function close(): Promise<void> {
    await store.close();
    connection.closeSync();
    instance.closeSync();
  }

  async function all(sql: string): Promise<unknown[][]> {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  }

  afterEach(async () => {
    await close();
    warnings.length = 0;
  });

  return {
    /** The lines logged since the test started. */
    warnings,
    async open(): Promise<void> {
      instance = await DuckDBInstance.create(':memory:');
      connection = await instance.connect();
      await migrate(connection, { path: null, log: silentLog, now: Date.now });
      await openStore();
    },
    async restart(): Promise<void> {
      await store.close();
      await openStore();
    },
    close,
    append: (...rows: EventRow[]): Promise<Appended> => new Promise((resolve) => store.append(rows, resolve)),
    order: <T>(message: DefinitionOrder): Promise<T> => store.call(message.kind, message) as Promise<T>,
    /** How many events were stored. */
    countEvents: async (): Promise<number> => (await store.stats()).events,
    all,
    /** Owner, name and type of every property of the first project. */
    properties: () =>
      all(`SELECT type || coalesce(group_type_index::VARCHAR, ''), name, property_type FROM property_definitions
        WHERE project_id = 1 ORDER BY 1, 2`),
    events: () => all('SELECT name FROM event_definitions WHERE project_id = 1 ORDER BY 1'),
    /** Each event name with each property that it carried. */
    pairs: () => all('SELECT event, property FROM event_properties WHERE project_id = 1 ORDER BY ALL'),
  };
}

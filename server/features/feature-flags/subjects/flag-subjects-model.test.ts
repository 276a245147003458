// @module-tag deep
import { MessageChannel } from 'node:worker_threads';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerContext } from '../../../../test/support/owner-context.ts';
import type { ServiceChannel } from '../../../db/client.ts';
import { migrate } from '../../../db/migrate.ts';
import type { OwnerService } from '../../../db/owner.ts';
import { newUuid } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import type { EventRow } from '../../../warehouse/duckdb/event-row.ts';
import { openEventStore, type EventStore } from '../../../warehouse/duckdb/event-store.ts';
import { readIdentity } from '../../capture/identity-update.ts';
import { openGroups } from '../../groups/groups-thread.ts';
import { openPersons } from '../../persons/persons-thread.ts';
import { createFlagSubjectsThread, type SubjectSources } from './flag-subjects-thread.ts';
import { createFlagSubjects } from './flag-subjects.service.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const KEYS = ['acme', 'umbrella'];
const TYPES = ['company', 'team'];

const id = fc.constantFrom(...IDS);
const name = fc.constantFrom('p', 'q', '__proto__');
const values = fc.dictionary(name, fc.constantFrom<unknown>(1, 'x', null, { deep: [1] }), {
  maxKeys: 2,
  noNullPrototype: true,
});
/** What changes something of persons or groups, or might. */
const change = fc.oneof(
  fc.record({
    kind: fc.constant('event' as const),
    rows: fc.array(
      fc.record({
        event: fc.constantFrom(
          '$identify',
          '$create_alias',
          '$merge_dangerously',
          '$set',
          'plain',
          '$groupidentify',
        ),
        distinctId: id,
        otherId: id,
        isAnonymous: fc.boolean(),
        set: values,
        unset: fc.array(name, { maxLength: 1 }),
        type: fc.constantFrom(...TYPES),
        key: fc.constantFrom(...KEYS),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    fails: fc.constantFrom(0, 0, 1),
  }),
  fc.record({ kind: fc.constant('set' as const), distinctId: id, set: values }),
  fc.record({ kind: fc.constant('delete' as const), distinctId: id, deleteEvents: fc.boolean() }),
  fc.record({ kind: fc.constant('split' as const), distinctId: id }),
  fc.record({ kind: fc.constant('hash key' as const), distinctId: id, hashKey: id }),
  fc.record({
    kind: fc.constant('group' as const),
    type: fc.constantFrom(...TYPES),
    key: fc.constantFrom(...KEYS),
    set: values,
  }),
  fc.record({ kind: fc.constant('type' as const), index: fc.constantFrom(0, 1) }),
  fc.record({ kind: fc.constant('maintain' as const) }),
  fc.record({ kind: fc.constant('forget' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
/** Changes with concurrent lookups, before they are acknowledged. */
const session = fc.array(fc.record({ change, beside: fc.array(id, { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 12,
});

test('7.10 acknowledged changes of persons, groups, merges, splits, deletions and failed commits are used by the next request', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (steps) => {
      const server = await openServer();
      try {
        for (const { change: one, beside } of steps) {
          const acknowledged = server.carryOut(one);
          const asked = beside.map((distinctId) => server.subjects.person(1, distinctId));
          await acknowledged;
          // Looked up before pending rows are written, then compared with all stored rows.
          const seen = await server.seen();
          expect(seen).toEqual(await server.stored());
          await Promise.all(asked.map(async (one) => await one));
          expect(await server.seen()).toEqual(seen);
        }
      } finally {
        await server.close();
      }
    }),
    { numRuns: 80 },
  );
}, 300_000);

function rowOf(one: Extract<Change, { kind: 'event' }>['rows'][number], at: number): EventRow {
  const properties = {
    $set: one.set,
    $unset: one.unset,
    $anon_distinct_id: one.otherId,
    alias: one.otherId,
    $group_type: one.type,
    $group_key: one.key,
    $group_set: one.set,
  };
  const isAnonymous = one.isAnonymous && ['$set', 'plain'].includes(one.event);
  return {
    projectId: 1,
    uuid: newUuid(),
    hasClientUuid: true,
    event: one.event,
    distinctId: one.distinctId,
    personId: 0,
    timestamp: at,
    properties: isAnonymous ? '{"$process_person_profile":false}' : '{}',
    elementsChain: null,
    receivedAt: at,
    historical: false,
    lib: '',
    libVersion: '',
    source: '/batch',
    isAnonymous,
    identity: readIdentity(one.event, properties, isAnonymous),
    derived: null,
    propertyList: null,
    addedProperties: [],
  };
}

/** Values as JSON, in the order of their names. */
function plain(properties: object | null): unknown {
  return properties === null ? null : Object.entries(properties).sort(([x], [y]) => (x < y ? -1 : 1));
}

async function openServer() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  const thread = createFlagSubjectsThread();
  const { channel, context, acknowledge } = portOf(instance);
  const known = { geoip: () => null } as unknown as SubjectSources;
  let failures = 0;
  let at = 1_790_000_000_000_000;
  let maintain: () => Promise<void> = async () => {};
  const store: EventStore = await openEventStore(ownerContext(instance), [
    async (shared) => {
      const persons = await openPersons(
        shared,
        { onRefusal: () => {}, onCommitted: thread.personsCommitted, forget: async () => {} },
        { settleQuietRows: 1, settleLoadedRows: 1, squashRows: 1 },
      );
      known.persons = persons.lookup;
      maintain = () => persons.maintain!(true);
      return { ...persons, maintain: async () => {} };
    },
    async (shared) => {
      const groups = await openGroups(shared, { onRefusal: () => {}, onCommitted: thread.groupsCommitted });
      known.groups = groups.lookup;
      return groups;
    },
    (shared) => thread.open(shared, known, { prefetches: true }),
    async () => ({
      prepare: () => null,
      apply: () => undefined,
      write: async () => {
        if (failures-- > 0) throw new Error('this commit fails');
      },
      committed: () => undefined,
      rolledBack: () => undefined,
    }),
  ]);
  const service = await thread.serve(context);
  channel.serve(service);
  const subjects = createFlagSubjects(channel);

  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];

  async function personIdOf(distinctId: string): Promise<number | null> {
    await store.flush();
    const [found] = await read(`SELECT p.id FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
      WHERE distinct_id = '${distinctId}'`);
    return (found?.[0] as number | undefined) ?? null;
  }

  async function carryOut(one: Change): Promise<unknown> {
    switch (one.kind) {
      case 'event':
        failures = one.fails;
        return await new Promise<void>((resolve, reject) => {
          store.append(
            one.rows.map((row) => rowOf(row, (at += 1_000_000))),
            ({ outcome }) => (outcome === 'committed' ? resolve() : reject(new Error(outcome))),
          );
        });
      case 'set':
      case 'delete':
      case 'split': {
        const personId = await personIdOf(one.distinctId);
        if (personId === null) return;
        if (one.kind === 'set') {
          return await store.call('persons.set', {
            projectId: 1,
            personId,
            set: JSON.stringify(one.set),
            unset: null,
          });
        }
        if (one.kind === 'split') {
          const order = { projectId: 1, personId, mainDistinctId: one.distinctId };
          return await store.call('persons.split', order);
        }
        const { deleteEvents, distinctId } = one;
        const order = { projectId: 1, personIds: [personId], deleteEvents, distinctIds: [distinctId] };
        return await store.call('persons.delete', order);
      }
      case 'hash key':
        return await subjects.rememberHashKeys(1, [one.distinctId], ['flag'], one.hashKey);
      case 'group':
        return await store.call('groups.create', {
          projectId: 1,
          groupTypeIndex: TYPES.indexOf(one.type),
          groupKey: one.key,
          properties: JSON.stringify(one.set),
        });
      case 'type':
        return await store.call('group_types.delete', { projectId: 1, groupTypeIndex: one.index });
      case 'maintain':
        return await maintain();
      default:
        return subjects.forgetCohorts();
    }
  }

  return {
    subjects,
    async carryOut(one: Change): Promise<void> {
      await carryOut(one);
      await acknowledge();
    },
    async seen() {
      const persons = await Promise.all(
        IDS.map(async (distinctId) => {
          const found = await subjects.person(1, distinctId);
          if (found === null) return null;
          const { personId, uuid, properties, hashKeys } = found;
          return { personId, uuid, properties: plain(properties), hashKey: hashKeys.get('flag') ?? null };
        }),
      );
      const types = subjects.groupTypes(1) ?? (await subjects.groupsByType(1, [])).types;
      const groups = await Promise.all(
        [0, 1].flatMap((index) =>
          KEYS.map(async (key) => plain((await subjects.group(1, index, key))?.properties ?? null)),
        ),
      );
      return { persons, types: [types[0] ?? null, types[1] ?? null], groups };
    },
    async stored() {
      await store.flush();
      const persons = await Promise.all(
        IDS.map(async (distinctId) => {
          const [row] = await read(`SELECT d.person_id, p.uuid::VARCHAR, coalesce(p.properties, '{}'),
              (SELECT arg_min(hash_key, (k.person_id <> d.person_id, k.created_at, k.rowid)) FROM flag_hash_keys k
               LEFT JOIN person_overrides o ON o.old_person_id = k.person_id
               WHERE coalesce(o.person_id, k.person_id) = d.person_id)
            FROM person_distinct_ids d LEFT JOIN persons p ON p.id = d.person_id WHERE distinct_id = '${distinctId}'`);
          if (row === undefined) return null;
          const [personId, uuid, properties, hashKey] = row as [number, string | null, string, string | null];
          return { personId, uuid, properties: plain(JSON.parse(properties) as object), hashKey };
        }),
      );
      const types = await read('SELECT group_type_index, group_type FROM group_types');
      const groups = await Promise.all(
        [0, 1].flatMap((index) =>
          KEYS.map(async (key) => {
            const [row] = await read(
              `SELECT properties FROM groups WHERE group_type_index = ${index} AND group_key = '${key}'`,
            );
            return row === undefined ? null : plain(JSON.parse(row[0] as string) as object);
          }),
        ),
      );
      const nameOf = (index: number) => types.find(([found]) => found === index)?.[1] ?? null;
      return { persons, types: [nameOf(0), nameOf(1)], groups };
    },
    async close() {
      await store.close();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Two ends of one port: messages are copied, keep their order, and arrive in later turns of the loop. */
function portOf(instance: DuckDBInstance) {
  const { port1: toThread, port2: toServer } = new MessageChannel();
  toThread.unref();
  toServer.unref();
  const context = ownerContext(instance, { post: (message) => toServer.postMessage(message) });
  /** The thread reports completed work, as it reports commits and orders. */
  const acknowledge = (): Promise<void> => {
    const arrived = new Promise<void>((resolve) => acknowledged.push(resolve));
    toServer.postMessage('acknowledged');
    return arrived;
  };
  const acknowledged: (() => void)[] = [];
  const channel: ServiceChannel & { serve(service: OwnerService): void } = {
    call: () => Promise.reject(new Error('not called')),
    post: (message) => toThread.postMessage(message),
    onPost: (listener) =>
      void toThread.on('message', (message) => {
        if (message === 'acknowledged') acknowledged.shift()!();
        else listener(message as never);
      }),
    serve: (service) => void toServer.on('message', (message) => service.post!(message as never)),
  };
  return { channel, context, acknowledge };
}

import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { ownerContext } from '../../../test/support/owner-context.ts';
import { migrate } from '../../db/migrate.ts';
import { newUuid } from '../../lib/ids.ts';
import { silentLog } from '../../lib/log.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openEventStore } from '../../warehouse/duckdb/event-store.ts';
import { readIdentity } from '../capture/identity-update.ts';
import { openPersons } from './persons-thread.ts';

const PEOPLE = 400;

function row(event: string, distinctId: string, properties: Record<string, unknown> = {}): EventRow {
  return {
    projectId: 1,
    uuid: newUuid(),
    hasClientUuid: true,
    event,
    distinctId,
    personId: 0,
    timestamp: 1_790_000_000_000_000,
    properties: '{}',
    elementsChain: null,
    receivedAt: 1_790_000_000_000_000,
    historical: false,
    lib: '',
    libVersion: '',
    source: '/batch',
    isAnonymous: false,
    identity: readIdentity(event, properties, false),
    derived: null,
    propertyList: null,
    addedProperties: [],
  };
}

/** A store with persons, whose maintenance the test does. */
async function openStore() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  let maintain: () => Promise<void> = async () => {};
  const store = await openEventStore(ownerContext(instance), [
    async (context) => {
      const persons = await openPersons(
        context,
        { onRefusal: () => {}, onCommitted: () => {}, forget: async () => {} },
        { settleQuietRows: 1, settleLoadedRows: 1, squashRows: 1 },
      );
      maintain = () => persons.maintain!(true);
      return { ...persons, maintain: async () => {} };
    },
  ]);
  const append = (rows: readonly EventRow[]) =>
    new Promise((resolve) => store.append(rows, ({ outcome }) => resolve(outcome)));
  const close = async (): Promise<void> => {
    await store.close();
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, store, append, maintain: () => maintain(), close };
}

test('new persons are written only when a statement reads persons', async () => {
  const { connection, store, append, close } = await openStore();
  const written = async (): Promise<number> =>
    (await connection.runAndReadAll('SELECT count(*)::INTEGER FROM persons')).value(0, 0) as number;
  try {
    expect(await append([row('seen', 'u1'), row('seen', 'u2')])).toBe('committed');
    expect(
      store.flush('SELECT person_id, distinct_id FROM all_events LEFT JOIN person_overrides'),
    ).toBeNull();
    expect(await written()).toBe(0);
    await store.flush('SELECT id FROM "Persons"');
    expect(await written()).toBe(2);
  } finally {
    await close();
  }
});

test('an edit that changes stored events completes while compaction, settling and squashing run', async () => {
  const { connection, store, append, maintain, close } = await openStore();
  const people = Array.from({ length: PEOPLE }, (_, n) => n);
  try {
    expect(await append(people.flatMap((n) => [row('seen', `u${n}`), row('seen', `anon${n}`)]))).toBe(
      'committed',
    );
    await store.compactAll();
    const merges = people.map((n) => row('$identify', `u${n}`, { $anon_distinct_id: `anon${n}` }));
    expect(await append(merges)).toBe('committed');
    await store.flush();
    const found = await connection.runAndReadAll('SELECT id FROM persons ORDER BY id');
    const ids = found.getRows().map(([id]) => id as number);
    expect(ids).toHaveLength(PEOPLE);

    const order = (personId: number) =>
      store.call('persons.delete', {
        projectId: 1,
        personIds: [personId],
        deleteEvents: true,
        distinctIds: [],
      });
    const orders = ids.slice(0, 20).map((personId, n) => async () => {
      if (n % 5 === 0) await Promise.all([maintain(), order(personId)]);
      else await order(personId);
    });
    await Promise.all([maintain(), store.compactAll(), ...orders.map((run) => run())]);

    const left = await connection.runAndReadAll(
      'SELECT count(*)::INTEGER, (SELECT count(*)::INTEGER FROM persons) FROM all_events',
    );
    expect(left.getRows()).toEqual([[(PEOPLE - 20) * 3, PEOPLE - 20]]);
  } finally {
    await close();
  }
});

import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ownerContext } from '../../../test/support/owner-context.ts';
import { migrate } from '../../db/migrate.ts';
import { newUuid } from '../../lib/ids.ts';
import { silentLog } from '../../lib/log.ts';
import { createPropertyLists } from '../../lib/property-lists.ts';
import type { CommitParticipant } from '../../warehouse/duckdb/commit-participant.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openEventStore, type EventStore } from '../../warehouse/duckdb/event-store.ts';
import type { Appended } from '../../warehouse/duckdb/event-writer.ts';
import { openDefinitions } from './definitions-thread.ts';
import type { DefinitionEdit, DefinitionOrder } from './definition-orders.ts';
import { LIMITS } from './sightings.ts';

const NOON = Date.UTC(2026, 10, 20, 12) * 1_000;
const MINUTE = 60_000_000;

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let store: EventStore;
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
const warnings: string[] = [];

async function open(): Promise<void> {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  await openStore();
}

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

afterEach(async () => {
  await close();
  warnings.length = 0;
});

const lists = createPropertyLists([]);

/** An event as capture makes it, or, without a list, one whose properties have to be looked at. */
function row(
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
    propertyList: isListed ? lists.ofObject(properties) : null,
    addedProperties: [],
    ...more,
  };
}

function append(...rows: EventRow[]): Promise<Appended> {
  return new Promise((resolve) => store.append(rows, resolve));
}

function order<T>(message: DefinitionOrder): Promise<T> {
  return store.call(message.kind, message) as Promise<T>;
}

async function all(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

const properties = () =>
  all(`SELECT type || coalesce(group_type_index::VARCHAR, ''), name, property_type FROM property_definitions
    WHERE project_id = 1 ORDER BY 1, 2`);
const events = () => all('SELECT name FROM event_definitions WHERE project_id = 1 ORDER BY 1');
const pairs = () => all('SELECT event, property FROM event_properties WHERE project_id = 1 ORDER BY ALL');

describe('what an event brings is listed when it is acknowledged', () => {
  test.each([true, false])('its name and properties (properties read beforehand: %s)', async (isListed) => {
    await open();
    await append(row('signup', { plan: 'free', seats: 5, gone: null, $set: { a: 1 } }, { isListed }));
    expect(await events()).toEqual([['signup']]);
    expect(await properties()).toEqual([
      ['event', 'gone', null],
      ['event', 'plan', 'String'],
      ['event', 'seats', 'Numeric'],
    ]);
    expect(await pairs()).toEqual([
      ['signup', 'gone'],
      ['signup', 'plan'],
      ['signup', 'seats'],
    ]);
  });

  test('properties that the server has added', async () => {
    await open();
    await append(row('a', {}, { addedProperties: [{ name: '$ip', value: '192.0.2.1' }] }));
    await append(row('a', {}, { addedProperties: [{ name: '$group_0', value: 'acme' }] }));
    expect((await pairs()).map(([, name]) => name)).toEqual(['$group_0', '$ip']);
  });

  test('properties of persons and of groups, by the index of their type', async () => {
    await open();
    const identity = {
      set: { email: 'a@b.c' },
      setOnce: { logins: 1 },
      unset: ['old'],
      merge: null,
      groups: null,
    };
    const group = { type: 'company', key: 'acme', set: { since: '2026-11-20' } };
    await append(
      row('a', {}, { identity: { ...identity, groupIdentify: null } }),
      row(
        'b',
        {},
        { identity: { ...identity, set: null, setOnce: null, groupIdentify: { ...group, typeIndex: 3 } } },
      ),
      row(
        'c',
        {},
        { identity: { ...identity, groupIdentify: { ...group, set: { refused: 1 }, typeIndex: null } } },
      ),
    );
    expect(await properties()).toEqual([
      ['group3', 'since', 'DateTime'],
      ['person', 'email', 'String'],
      ['person', 'logins', 'Numeric'],
    ]);
    expect(await pairs()).toEqual([]);
  });

  test('for each project apart', async () => {
    await open();
    await append(row('a', { x: 1 }), row('a', { x: 'text' }, { projectId: 2 }));
    expect(await all('SELECT project_id, property_type FROM property_definitions ORDER BY 1')).toEqual([
      [1, 'Numeric'],
      [2, 'String'],
    ]);
  });

  test('once, however often and however many at once it comes', async () => {
    await open();
    await Promise.all(Array.from({ length: 50 }, (_, n) => append(row(`e${n % 3}`, { [`p${n % 5}`]: n }))));
    expect(await events()).toHaveLength(3);
    expect(await properties()).toHaveLength(5);
    expect(await pairs()).toHaveLength(15);
  });

  test('and known again after a restart', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await store.close();
    await openStore();
    await append(row('a', { x: 'text', y: 1 }), row('b', { x: 1 }));
    expect(await events()).toEqual([['a'], ['b']]);
    expect(await properties()).toEqual([
      ['event', 'x', 'String'],
      ['event', 'y', 'Numeric'],
    ]);
    expect(await pairs()).toHaveLength(3);
  });
});

test('a name with signs that no text of a database holds is listed, and does not keep its event from being stored', async () => {
  await open();
  const odd = { 'a\0b': 1, '\ud800': 2, '"\\': 3, '🦔': 4, __proto__x: 5 };
  await append(row('e"\\\n', odd, { properties: '{}' }));
  const listed = (await properties()).map(([, name]) => name as string);
  expect(listed.sort()).toEqual(['"\\', '__proto__x', 'a�b', '�', '🦔'].sort());
});

describe('when a commit fails', () => {
  test('nothing of it is listed, and what it brought is new when it comes again', async () => {
    await open();
    await append(row('a', { x: 1 }));
    expect(await append(row('fails', { y: 1 }), row('a', { x: 'text' }))).toMatchObject({
      outcome: 'unavailable',
    });
    expect(await events()).toEqual([['a']]);
    expect(await properties()).toEqual([['event', 'x', 'Numeric']]);
    await append(row('a', { x: 'text', y: 1 }));
    expect(await properties()).toEqual([
      ['event', 'x', 'String'],
      ['event', 'y', 'Numeric'],
    ]);
  });

  test('those beside it in the same commit are listed', async () => {
    await open();
    const [bad, good] = await Promise.all([append(row('fails', { y: 1 })), append(row('b', { z: 1 }))]);
    expect([bad.outcome, good.outcome]).toEqual(['unavailable', 'committed']);
    expect(await events()).toEqual([['b']]);
    expect(await pairs()).toEqual([['b', 'z']]);
  });
});

describe('first and last seen', () => {
  const seen = () =>
    all(`SELECT name, epoch_us(first_seen_at)::DOUBLE, epoch_us(last_seen_at)::DOUBLE FROM event_definitions
      UNION ALL SELECT name, epoch_us(first_seen_at)::DOUBLE, epoch_us(last_seen_at)::DOUBLE FROM property_definitions
      ORDER BY 1`);

  test('the first time stays; the last is written once in each minute', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await append(row('a', { x: 1 }, { receivedAt: NOON + MINUTE - 1 }));
    expect(await seen()).toEqual([
      ['a', NOON, NOON],
      ['x', NOON, NOON],
    ]);
    await append(row('a', { x: 1 }, { receivedAt: NOON + MINUTE }));
    await append(row('a', {}, { receivedAt: NOON + 5 * MINUTE }));
    expect(await seen()).toEqual([
      ['a', NOON, NOON + 5 * MINUTE],
      ['x', NOON, NOON + MINUTE],
    ]);
  });

  test('an event that was received before the last one does not take it back', async () => {
    await open();
    await append(row('a', { x: 1 }, { receivedAt: NOON + 5 * MINUTE }));
    await append(row('a', { x: 'text' }));
    expect((await seen()).map(([, , last]) => last)).toEqual([NOON + 5 * MINUTE, NOON + 5 * MINUTE]);
  });
});

describe('orders', () => {
  async function idOf(table: string, name: string): Promise<string> {
    return (await all(`SELECT id::VARCHAR FROM ${table} WHERE name = '${name}'`))[0]![0] as string;
  }

  test('a forgotten event name is gone with what it was seen with, and is new when it comes again', async () => {
    await open();
    await append(row('a', { x: 1 }), row('b', { x: 1 }));
    const definition = { kind: 'event', projectId: 1, id: await idOf('event_definitions', 'a') } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(true);
    expect(await order({ kind: 'definitions.forget', definition })).toBe(false);
    expect(await events()).toEqual([['b']]);
    expect(await pairs()).toEqual([['b', 'x']]);
    await append(row('a', { x: 1 }));
    expect(await events()).toEqual([['a'], ['b']]);
    expect(await pairs()).toHaveLength(2);
    expect(await idOf('event_definitions', 'a')).not.toBe(definition.id);
  });

  test('a forgotten property is gone, and is new when an event carries it again, with the type it has then', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await append(row('a', { x: 'text' }));
    const definition = {
      kind: 'property',
      projectId: 1,
      id: await idOf('property_definitions', 'x'),
    } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(true);
    expect([await properties(), await pairs()]).toEqual([[], []]);
    await append(row('a', { x: 1 }));
    expect(await properties()).toEqual([['event', 'x', 'Numeric']]);
    expect(await pairs()).toEqual([['a', 'x']]);
  });

  test('reach only the project that they name', async () => {
    await open();
    await append(row('a', { x: 1 }));
    const definition = { kind: 'event', projectId: 2, id: await idOf('event_definitions', 'a') } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(false);
    expect(await order({ kind: 'definitions.update', definition, edit: { hidden: true } })).toBe(false);
    expect(await events()).toEqual([['a']]);
  });

  test('what people say and what events bring are written beside each other, and neither is lost', async () => {
    await open();
    await append(row('a', { x: 1 }));
    const definition = { kind: 'event', projectId: 1, id: await idOf('event_definitions', 'a') } as const;
    const said = Array.from({ length: 20 }, (_, n): DefinitionEdit => ({ description: `said ${n}` }));
    const [answers, appended] = await Promise.all([
      Promise.all(said.map((edit) => order<boolean>({ kind: 'definitions.update', definition, edit }))),
      Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          append(row('a', { x: 1, [`p${n}`]: n }, { receivedAt: NOON + n * MINUTE })),
        ),
      ),
    ]);
    expect(answers.every(Boolean)).toBe(true);
    expect(appended.every(({ outcome }) => outcome === 'committed')).toBe(true);
    expect(await all('SELECT description, epoch_us(last_seen_at)::DOUBLE FROM event_definitions')).toEqual([
      ['said 19', NOON + 59 * MINUTE],
    ]);
    expect(await properties()).toHaveLength(61);
  });
});

describe('bounds', () => {
  test('names beyond the limit are stored with their events and not listed, with one line in the log', async () => {
    await open();
    const many = Array.from({ length: LIMITS.propertyNames + 300 }, (_, n): [string, unknown] => [
      `p${n}`,
      1,
    ]);
    const rows = Array.from({ length: 103 }, (_, n) =>
      row('a', Object.fromEntries(many.slice(n * 100, n * 100 + 100))),
    );
    await append(...rows);
    await append(row('b', { another: 1, p0: 1 }));
    expect(await properties()).toHaveLength(LIMITS.propertyNames);
    expect(await pairs()).toContainEqual(['b', 'p0']);
    expect(warnings.filter((message) => message.includes('property names'))).toHaveLength(1);
    expect((await store.stats()).events).toBe(104);
  });

  test('event names beyond the limit likewise', async () => {
    await open();
    await append(...Array.from({ length: LIMITS.eventNames + 5 }, (_, n) => row(`e${n}`, { x: 1 })));
    expect(await events()).toHaveLength(LIMITS.eventNames);
    expect(warnings).toHaveLength(1);
    expect((await store.stats()).events).toBe(LIMITS.eventNames + 5);
  });
});

test('what is listed after any sequence of commits, failures and restarts is what a small model lists', async () => {
  await open();
  const value = fc.constantFrom<unknown>(null, 1, 1_790_000_000, 'x', 'true', '2026-11-20', false, [], {});
  const name = fc.constantFrom('x', 'created_at', 'utm_source', '$set');
  const event = fc.constantFrom('a', 'b', 'fails');
  const one = fc.tuple(event, fc.dictionary(name, value), fc.boolean());
  const step = fc.oneof(
    { arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }), weight: 5 },
    fc.constant('restart'),
  );
  const TYPES: Record<string, (of: unknown) => string | null> = {
    x: (of) => typeName(of, 'Numeric'),
    created_at: (of) => typeName(of, 'DateTime'),
    utm_source: (of) => (typeName(of, 'Numeric') === null ? null : 'String'),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await close();
      await open();
      const told = new Map<string, Set<string>>();
      const carried = new Set<string>();
      for (const done of steps) {
        if (done === 'restart') {
          await store.close();
          await openStore();
          continue;
        }
        const group = done as [string, Record<string, unknown>, boolean][];
        await append(...group.map(([of, carries, isListed]) => row(of, carries, { isListed })));
        if (group.some(([of]) => of === 'fails')) continue;
        for (const [of, carries] of group) {
          for (const [key, is] of Object.entries(carries)) {
            if (key === '$set') continue;
            carried.add(`${of} ${key}`);
            const type = TYPES[key]!(is);
            const types = told.get(key) ?? new Set();
            if (type !== null) types.add(type);
            told.set(key, types);
          }
        }
      }
      const wanted = [...told]
        .map(([key, types]) => ['event', key, types.size > 1 ? 'String' : ([...types][0] ?? null)])
        .sort();
      expect(await properties()).toEqual(wanted);
      expect((await pairs()).map((pair) => pair.join(' ')).sort()).toEqual([...carried].sort());
    }),
    { numRuns: 15 },
  );
}, 60_000);

function typeName(value: unknown, instant: string): string | null {
  if (value === 1) return 'Numeric';
  if (value === 1_790_000_000) return instant;
  if (value === 'x') return 'String';
  if (value === '2026-11-20') return 'DateTime';
  return value === 'true' || value === false ? 'Boolean' : null;
}

// @module-tag deep
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerContext } from '../../../test/support/owner-context.ts';
import { migrate } from '../../db/migrate.ts';
import { silentLog } from '../../lib/log.ts';
import { newUuid } from '../../lib/ids.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openEventStore, type EventStore } from '../../warehouse/duckdb/event-store.ts';
import { readIdentity } from '../capture/identity-update.ts';
import { openPersons } from './persons-thread.ts';

/** One thing that a client does. */
interface Step {
  event: '$identify' | '$create_alias' | '$merge_dangerously' | '$set' | 'plain' | '$exception';
  distinctId: string;
  otherId: string;
  isAnonymous: boolean;
  set: Record<string, unknown> | undefined;
  setOnce: Record<string, unknown> | undefined;
  unset: string[] | undefined;
}

/** Section 6 of the ingestion contract, implemented as simply as possible. */
interface ModelPerson {
  ids: string[];
  properties: Record<string, unknown>;
  isIdentified: boolean;
  createdAt: number;
}

/** An object in which `__proto__` is a name like any other. */
function bare(...from: Record<string, unknown>[]): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, ...from) as Record<string, unknown>;
}

function sorted(properties: object): [string, unknown][] {
  return Object.entries(properties).sort(([x], [y]) => (x < y ? -1 : 1));
}

const ILLEGAL = new Set(['anonymous', 'Guest', '0', '"null"', ' ']);

function createModel() {
  let persons: ModelPerson[] = [];
  const warnings: string[] = [];
  const personOf = (id: string): ModelPerson | undefined => persons.find(({ ids }) => ids.includes(id));

  function merge(step: Step, at: number): void {
    const isAlias = step.event === '$create_alias';
    const [main, other] = isAlias ? [step.otherId, step.distinctId] : [step.distinctId, step.otherId];
    if (main === other) return;
    if (ILLEGAL.has(main) || ILLEGAL.has(other)) {
      warnings.push('cannot_merge_with_illegal_distinct_id');
      return;
    }
    const a = personOf(main);
    const b = personOf(other);
    if (a !== undefined && a === b) return;
    let person: ModelPerson;
    if (a !== undefined && b !== undefined) {
      const isRefused = step.event !== '$merge_dangerously' && b.isIdentified && (!isAlias || a.isIdentified);
      if (isRefused) {
        warnings.push('cannot_merge_already_identified');
        return;
      }
      person = a;
      a.ids.push(...b.ids);
      a.properties = bare(b.properties, a.properties);
      a.createdAt = Math.min(a.createdAt, b.createdAt);
      persons = persons.filter((one) => one !== b);
    } else if (a !== undefined) (person = a).ids.push(other);
    else if (b !== undefined) (person = b).ids.push(main);
    else
      persons.push((person = { ids: [main, other], properties: bare(), isIdentified: false, createdAt: at }));
    if (isAlias) person.ids = [main, ...person.ids.filter((id) => id !== main)];
    person.isIdentified = true;
  }

  return {
    warnings,
    apply(step: Step, at: number): void {
      if (step.isAnonymous) return;
      if (['$identify', '$create_alias', '$merge_dangerously'].includes(step.event)) merge(step, at);
      let person = personOf(step.distinctId);
      if (person === undefined) {
        person = { ids: [step.distinctId], properties: bare(), isIdentified: false, createdAt: at };
        persons.push(person);
      }
      if (step.event === '$exception') return;
      for (const [name, value] of Object.entries(step.setOnce ?? {})) {
        if (value !== null && (person.properties[name] ?? null) === null) person.properties[name] = value;
      }
      Object.assign(person.properties, step.set);
      for (const name of step.unset ?? []) delete person.properties[name];
    },
    state: () =>
      persons
        .map((person) => ({ ...person, properties: sorted(person.properties) }))
        .sort((x, y) => (x.ids[0]! < y.ids[0]! ? -1 : 1)),
    idsWith: (id: string) => personOf(id)?.ids ?? [id],
  };
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'anonymous', 'Guest', '0', '"null"', ' ');
const usualId = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e') },
  { weight: 1, arbitrary: id },
);
const name = fc.constantFrom('p', 'q', '__proto__');
const value = fc.constantFrom<unknown>(1, 2, 'x', null, { deep: [1] }, true);
const values = fc.option(fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true }), {
  nil: undefined,
});
const step: fc.Arbitrary<Step> = fc.record({
  event: fc.constantFrom('$identify', '$create_alias', '$merge_dangerously', '$set', 'plain', '$exception'),
  distinctId: usualId,
  otherId: usualId,
  isAnonymous: fc.boolean(),
  set: values,
  setOnce: values,
  unset: fc.option(fc.array(name, { maxLength: 2 }), { nil: undefined }),
});
/** Requests of events, between which the server may be restarted, and its tables compacted. */
const session = fc.array(
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
    /** Events of a piece of a large request; 0: all together. */
    piece: fc.nat(3),
    after: fc.constantFrom('go on', 'go on', 'restart', 'crash', 'maintain', 'fail first'),
  }),
  { minLength: 1, maxLength: 14 },
);

test('6.1, 6.2, 6.3, 6.4, 6.5, 6.6.1, 6.6.2, 6.6.3, 6.6.4, 6.6.5, 6.7a any sequence of events leaves the persons of the contract, over restarts', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (requests) => {
      const server = await openServer();
      try {
        const model = createModel();
        const sent: { uuid: string; distinctId: string }[] = [];
        let at = 1_790_000_000_000_000;
        for (const { steps, after, piece } of requests) {
          const rows = steps.filter(isSendable).map((one) => rowOf(one, (at += 1_000_000)));
          if (rows.length === 0) continue;
          if (after === 'fail first') await server.failOnce();
          await (piece === 0 ? server.append(rows) : server.appendInPieces(rows, piece));
          at -= rows.length * 1_000_000;
          for (const one of steps.filter(isSendable)) model.apply(one, (at += 1_000_000));
          sent.push(...rows);
          if (after === 'restart') await server.restart();
          if (after === 'crash') await server.crash();
          if (after === 'maintain') await server.maintain();
        }
        expect(await server.persons()).toEqual(model.state());
        expect(server.warnings).toEqual(model.warnings);
        const owners = await server.owners();
        for (const { uuid, distinctId } of sent) {
          const shared = sent.filter((other) => owners.get(other.uuid) === owners.get(uuid));
          const expected = sent.filter((other) => model.idsWith(distinctId).includes(other.distinctId));
          expect(shared.map((one) => one.uuid)).toEqual(expected.map((one) => one.uuid));
        }
      } finally {
        await server.close();
      }
    }),
    { numRuns: 60 },
  );
}, 300_000);

test('a person changed by one chunk of a large request is merged by a later chunk', async () => {
  const server = await openServer();
  const plain: Step = {
    event: 'plain',
    distinctId: 'ann',
    otherId: 'anon',
    isAnonymous: false,
    set: undefined,
    setOnce: undefined,
    unset: undefined,
  };
  await server.append([rowOf({ ...plain, event: '$set', set: { plan: 'free' } }, 1_000_000)]);
  // From now on nothing of the person is in memory.
  await server.restart();
  const begins = await server.appendInPieces(
    [
      rowOf({ ...plain, event: '$set', set: { seats: 3 } }, 2_000_000),
      rowOf({ ...plain, event: '$identify' }, 3_000_000),
    ],
    1,
  );
  // It was not aborted and then stored in one piece.
  expect(begins).toBe(1);
  expect(await server.persons()).toMatchObject([
    {
      ids: ['ann', 'anon'],
      properties: [
        ['plan', 'free'],
        ['seats', 3],
      ],
      isIdentified: true,
    },
  ]);
  await server.close();
});

/** Those that contradict themselves are dropped before the store (6.2). */
function isSendable({ event, isAnonymous }: Step): boolean {
  return !isAnonymous || ['$set', 'plain', '$exception'].includes(event);
}

function rowOf(one: Step, at: number): EventRow {
  const properties = {
    $set: one.set,
    $set_once: one.setOnce,
    $unset: one.unset,
    $anon_distinct_id: one.otherId,
    alias: one.otherId,
  };
  return {
    projectId: 1,
    uuid: newUuid(),
    hasClientUuid: true,
    event: one.event,
    distinctId: one.distinctId,
    personId: 0,
    timestamp: at,
    properties: one.isAnonymous ? '{"$process_person_profile":false}' : '{}',
    elementsChain: null,
    receivedAt: at,
    historical: false,
    lib: '',
    libVersion: '',
    source: '/batch',
    isAnonymous: one.isAnonymous,
    identity: readIdentity(one.event, properties, one.isAnonymous),
    derived: null,
    propertyList: null,
    addedProperties: [],
  };
}

async function openServer() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection: DuckDBConnection = await instance.connect();
  await migrate(connection, { path: null, log: silentLog, now: Date.now });
  const warnings: string[] = [];
  let isCrashing = false;
  let failures = 0;
  let maintain: (() => Promise<void>) | undefined;
  let store: EventStore;

  const hooks = {
    onRefusal: (_: EventRow, refusal: string) => void warnings.push(refusal),
    onCommitted: () => {},
    forget: async () => {},
  };
  async function open(): Promise<void> {
    store = await openEventStore(ownerContext(instance), [
      async (context) => {
        const persons = await openPersons(context, hooks, {
          settleQuietRows: 1,
          settleLoadedRows: 1,
          squashRows: 1,
        });
        maintain = () => persons.maintain!(true);
        const { flush, maintain: look, ...rest } = persons;
        return {
          ...rest,
          flush: () => (isCrashing ? null : flush!()),
          maintain: async (isQuiet: boolean) => (isCrashing ? undefined : await look!(isQuiet)),
        };
      },
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
  }

  await open();
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as string[][];
  return {
    warnings,
    /** The next commit fails once, after everything of it was written. */
    async failOnce(): Promise<void> {
      failures = 1;
    },
    append: (rows: readonly EventRow[]) =>
      new Promise<void>((resolve, reject) => {
        store.append(rows, (result) =>
          result.outcome === 'committed' ? resolve() : reject(new Error('not committed')),
        );
      }),
    /** The same rows as one request that is appended in pieces of this size; returns how often it was begun. */
    appendInPieces: (rows: readonly EventRow[], size: number) =>
      new Promise<number>((resolve, reject) => {
        let at = 0;
        let begins = 0;
        store.appendSource(
          {
            count: rows.length,
            begin() {
              at = 0;
              begins += 1;
            },
            next: () => (at >= rows.length ? null : rows.slice(at, (at += size))),
            added: () => undefined,
          },
          ({ outcome }) => (outcome === 'committed' ? resolve(begins) : reject(new Error(outcome))),
        );
      }),
    /** A restart before which nothing that waits is written. */
    async crash(): Promise<void> {
      isCrashing = true;
      await store.close();
      isCrashing = false;
      await open();
    },
    async restart(): Promise<void> {
      await store.close();
      await open();
    },
    maintain: () => maintain!(),
    async persons() {
      await store.flush();
      const rows = await read(`SELECT properties, is_identified, epoch_us(created_at)::DOUBLE,
        (SELECT to_json(list(distinct_id ORDER BY position)) FROM person_distinct_ids d WHERE d.person_id = p.id)
        FROM persons p`);
      return rows
        .map(([properties, isIdentified, createdAt, ids]) => ({
          ids: JSON.parse(ids!) as string[],
          properties: sorted(JSON.parse(properties!) as object),
          isIdentified: isIdentified as unknown,
          createdAt: createdAt as unknown,
        }))
        .sort((x, y) => (x.ids[0]! < y.ids[0]! ? -1 : 1));
    },
    /** The person of each event, by its uuid. */
    async owners(): Promise<Map<string, string>> {
      const rows = await read(`SELECT e.uuid, coalesce(o.person_id, e.person_id)
        FROM all_events e LEFT JOIN person_overrides o ON o.old_person_id = e.person_id`);
      return new Map(rows.map(([uuid, owner]) => [uuid!, owner!]));
    },
    async close(): Promise<void> {
      await store.close();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

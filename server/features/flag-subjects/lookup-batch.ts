import type { ServiceChannel } from '../../db/client.ts';
import type { GroupName } from '../../warehouse/duckdb/group-tables.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import type {
  Ahead,
  Asked,
  DistinctName,
  Found,
  FoundGroups,
  FoundPerson,
  FromSubjects,
  HashKeysAsked,
  NamedGroups,
  Stale,
  ToSubjects,
} from './flag-subjects-messages.ts';

/** What is asked for, and what comes back. */
interface Kinds {
  persons: [DistinctName, FoundPerson | null];
  groups: [GroupName, string | null];
  named: [NamedGroups, FoundGroups];
  addresses: [string, GeoipProperties | null];
}
type Kind = keyof Kinds;

/** Called when the answer has come and before anything that came after it; rejects instead when there is none. */
type Waiter = { resolve: (answer: never) => void; reject: (error: Error) => void };

/**
 * Misses go to the thread of the database in as few messages as it takes: those that come while it answers wait for one
 * another, since a message costs more than a miss.
 */
export interface LookupBatch {
  /** `take` is given the answer in the order of the messages; what it returns becomes the promise's value. */
  ask<K extends Kind, T>(kind: K, what: Kinds[K][0], take: (answer: Kinds[K][1]) => T): Promise<T>;
  keepHashKeys(order: Omit<HashKeysAsked, 'kind' | 'id'>): Promise<void>;
  /** Tells that static cohorts were changed, for the so manieth time. */
  cohortsChanged(generation: number): void;
}

/** Makes the way to the thread; `on` is told what is old from now on, and of persons that were not asked for. */
export function createLookupBatch(
  channel: ServiceChannel,
  on: { stale(stale: Stale): void; ahead(ahead: Ahead): void },
): LookupBatch {
  const sent = new Map<number, Record<Kind, Waiter[]>>();
  const keeping = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let outbox: { asked: Asked; waiters: Record<Kind, Waiter[]> } | null = null;
  let nextId = 1;

  const send = (message: ToSubjects): void => channel.post(message);

  function flush(): void {
    if (outbox === null || sent.size > 0) return;
    const { asked, waiters } = outbox;
    outbox = null;
    sent.set(asked.id, waiters);
    send(asked);
  }

  function open(): NonNullable<typeof outbox> {
    if (sent.size === 0) setImmediate(flush);
    const id = nextId++;
    return {
      asked: { kind: 'asked', id, persons: [], groups: [], named: [], addresses: [] },
      waiters: { persons: [], groups: [], named: [], addresses: [] },
    };
  }

  function settle(found: Found): void {
    const waiters = sent.get(found.id)!;
    sent.delete(found.id);
    const answers = { ...found, persons: JSON.parse(found.persons) as (FoundPerson | null)[] };
    for (const kind of ['persons', 'groups', 'named', 'addresses'] as const) {
      waiters[kind].forEach((waiter, index) => waiter.resolve(answers[kind][index] as never));
    }
    flush();
  }

  function fail(id: number): void {
    const error = new Error('Stored persons and groups cannot be read now');
    for (const waiters of Object.values(sent.get(id) ?? {})) {
      for (const waiter of waiters) waiter.reject(error);
    }
    sent.delete(id);
    keeping.get(id)?.reject(error);
    keeping.delete(id);
    flush();
  }

  channel.onPost(((message: FromSubjects) => {
    if (message.kind === 'found') settle(message);
    else if (message.kind === 'stale') on.stale(message);
    else if (message.kind === 'ahead') on.ahead(message);
    else if (message.kind === 'failed') fail(message.id);
    else {
      keeping.get(message.id)?.resolve();
      keeping.delete(message.id);
    }
  }) as (message: never) => void);

  return {
    ask(kind, what, take) {
      outbox ??= open();
      const { asked, waiters } = outbox;
      (asked[kind] as unknown[]).push(what);
      return new Promise((resolve, reject) => {
        waiters[kind].push({ resolve: (answer) => resolve(take(answer)), reject });
      });
    },
    keepHashKeys(order) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        keeping.set(id, { resolve, reject });
        send({ kind: 'hash_keys', id, ...order });
      });
    },
    cohortsChanged: (generation) => send({ kind: 'cohorts', generation }),
  };
}

import { parseExactly } from '../../../lib/exact-number.contract.ts';
import type { ServiceChannel } from '../../../db/client.ts';
import type { GroupName } from '../../../warehouse/duckdb/group-tables.ts';
import type { GeoipProperties } from '../../geoip/index.ts';
import type {
  PrefetchedPersons,
  LookupRequest,
  DistinctName,
  Found,
  FoundGroups,
  FoundPerson,
  FromSubjects,
  HashKeysRequest,
  NamedGroups,
  Invalidations,
  ToSubjects,
} from './flag-subjects-messages.ts';

/** Lookup kinds with their key and result. */
interface Kinds {
  persons: [DistinctName, FoundPerson | null];
  groups: [GroupName, string | null];
  named: [NamedGroups, FoundGroups];
  addresses: [string, GeoipProperties | null];
}
type Kind = keyof Kinds;

/** Called when the result arrives, before any later message; rejected when there is none. */
type Waiter = { resolve: (answer: never) => void; reject: (error: Error) => void };

/**
 * Batches cache misses into as few messages to the store thread as possible: misses that arrive during a lookup wait
 * for the next one, since a message costs more than a miss.
 */
export interface LookupBatch {
  /** `take` is called with the result in message order; its return value resolves the promise. */
  lookUp<K extends Kind, T>(kind: K, what: Kinds[K][0], take: (answer: Kinds[K][1]) => T): Promise<T>;
  saveHashKeys(order: Omit<HashKeysRequest, 'kind' | 'id'>): Promise<void>;
  /** Reports a change of static cohorts; `generation` counts them. */
  cohortsChanged(generation: number): void;
}

/** `on` receives invalidations and prefetched persons. */
export function createLookupBatch(
  channel: ServiceChannel,
  on: { invalidations(invalidated: Invalidations): void; prefetched(prefetched: PrefetchedPersons): void },
): LookupBatch {
  const sent = new Map<number, Record<Kind, Waiter[]>>();
  const saving = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let outbox: { request: LookupRequest; waiters: Record<Kind, Waiter[]> } | null = null;
  let nextId = 1;

  const send = (message: ToSubjects): void => channel.post(message);

  function flush(): void {
    if (outbox === null || sent.size > 0) return;
    const { request, waiters } = outbox;
    outbox = null;
    sent.set(request.id, waiters);
    send(request);
  }

  function open(): NonNullable<typeof outbox> {
    if (sent.size === 0) setImmediate(flush);
    const id = nextId++;
    return {
      request: { kind: 'asked', id, persons: [], groups: [], named: [], addresses: [] },
      waiters: { persons: [], groups: [], named: [], addresses: [] },
    };
  }

  function settle(found: Found): void {
    const waiters = sent.get(found.id)!;
    sent.delete(found.id);
    const answers = { ...found, persons: parseExactly(found.persons) as (FoundPerson | null)[] };
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
    saving.get(id)?.reject(error);
    saving.delete(id);
    flush();
  }

  channel.onPost(((message: FromSubjects) => {
    if (message.kind === 'found') settle(message);
    else if (message.kind === 'stale') on.invalidations(message);
    else if (message.kind === 'ahead') on.prefetched(message);
    else if (message.kind === 'failed') fail(message.id);
    else {
      saving.get(message.id)?.resolve();
      saving.delete(message.id);
    }
  }) as (message: never) => void);

  return {
    lookUp(kind, what, take) {
      outbox ??= open();
      const { request, waiters } = outbox;
      (request[kind] as unknown[]).push(what);
      return new Promise((resolve, reject) => {
        waiters[kind].push({ resolve: (answer) => resolve(take(answer)), reject });
      });
    },
    saveHashKeys(order) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        saving.set(id, { resolve, reject });
        send({ kind: 'hash_keys', id, ...order });
      });
    },
    cohortsChanged: (generation) => send({ kind: 'cohorts', generation }),
  };
}

import { parseExactly } from '../../../lib/exact-number.contract.ts';
import type { ServiceChannel } from '../../../db/client.ts';
import { publicAddress, type GeoipProperties } from '../../geoip/index.ts';
import {
  personKey,
  type PrefetchedPersons,
  type FoundPerson,
  type Invalidations,
} from './flag-subjects-messages.ts';
import { createLookupBatch } from './lookup-batch.ts';
import type { FlagSubjects, GroupSubject, Properties, MaybePromise, Subject } from './subject.ts';

/** Under which keys each person is remembered: its distinct ids, of which most persons have one. */
interface KeysOfPersons {
  of(personId: number): readonly string[];
  add(personId: number, key: string): void;
  delete(personId: number, key: string): void;
}

/** Makes it empty. A set for each of a hundred thousand persons would take more than their keys. */
function createPersonKeyIndex(): KeysOfPersons {
  const known = new Map<number, string | Set<string>>();
  return {
    of(personId) {
      const keys = known.get(personId);
      if (keys === undefined) return [];
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    add(personId, key) {
      const keys = known.get(personId);
      if (keys === undefined) known.set(personId, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) known.set(personId, new Set([keys, key]));
    },
    delete(personId, key) {
      const keys = known.get(personId);
      if (keys === key) known.delete(personId);
      if (typeof keys !== 'object') return;
      keys.delete(key);
      if (keys.size === 0) known.delete(personId);
    },
  };
}

/**
 * Room for 100,000 requested persons with a thousand characters of properties each, for as many prefetched ones, and
 * for groups with three hundred characters.
 */
const PERSONS: MemoryLimits = { entries: 200_000, characters: 250_000_000 };
const GROUPS: MemoryLimits = { entries: 100_000, characters: 75_000_000 };
const ADDRESSES: MemoryLimits = { entries: 10_000, characters: 16_777_216 };

/** Limits with which nothing is cached. */
export const UNCACHED: { persons: MemoryLimits; groups: MemoryLimits } = {
  persons: { entries: 0, characters: 0 },
  groups: { entries: 0, characters: 0 },
};

/** No group has a longer key (ingestion contract 6.7). */
const MAX_GROUP_KEY = 400;

/** A prefetched person, as unparsed text of a `FoundPerson`, since most are never requested. */
interface PrefetchedPerson {
  personId: number;
  text: string;
}

const NO_COHORTS: ReadonlySet<number> = new Set();
const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** Creates the cache of the server thread; `channel` leads to the store thread. */
export function createFlagSubjects(
  channel: ServiceChannel,
  limits: { persons?: MemoryLimits; groups?: MemoryLimits } = {},
): FlagSubjects {
  const keysOf = createPersonKeyIndex();
  const persons = createSubjectMemory<Subject | PrefetchedPerson | null>(
    limits.persons ?? PERSONS,
    (person, key) => person !== null && keysOf.delete(person.personId, key),
  );
  const groups = createSubjectMemory<GroupSubject | null>(limits.groups ?? GROUPS);
  const addresses = createSubjectMemory<GeoipProperties | null>(ADDRESSES);
  const types = new Map<number, readonly (string | undefined)[]>();
  /** Running lookups by cache key. */
  let waiting = new Map<string, Promise<unknown>>();
  /** Incremented to discard the results of running lookups. */
  let generation = 0;
  const batch = createLookupBatch(channel, { invalidations: forget, prefetched: cachePrefetched });

  function forget(invalidations: Invalidations): void {
    for (const id of invalidations.personIds) for (const key of keysOf.of(id)) persons.delete(key);
    for (const name of invalidations.distinctIds) persons.delete(personKey(name));
    for (const { projectId, groupTypeIndex, groupKey } of invalidations.groups) {
      groups.delete(`${projectId} ${groupTypeIndex} ${groupKey}`);
    }
    for (const projectId of invalidations.types) types.delete(projectId);
    for (const projectId of invalidations.projects) forgetProject(projectId);
    if (invalidations.addresses) addresses.clear();
  }

  function forgetProject(projectId: number): void {
    types.delete(projectId);
    for (const memory of [persons, groups]) {
      for (const key of memory.keys()) if (key.startsWith(`${projectId} `)) memory.delete(key);
    }
  }

  function cachePerson(key: string, found: FoundPerson | null): Subject | null {
    if (found === null) {
      persons.put(key, null, 0);
      return null;
    }
    const subject = subjectOf(found);
    persons.delete(key);
    keysOf.add(subject.personId, key);
    // After `keysOf.add`, because an entry larger than the cache is evicted immediately.
    persons.put(key, subject, found[3]);
    return subject;
  }

  /** Cached persons are at least as new. */
  function cachePrefetched(ahead: PrefetchedPersons): void {
    if (ahead.generation !== generation) return;
    ahead.keys.forEach((key, n) => {
      if (persons.has(key)) return;
      const personId = ahead.personIds[n]!;
      const text = ahead.persons[n]!;
      keysOf.add(personId, key);
      persons.put(key, { personId, text }, text.length);
    });
  }

  function cacheGroup(key: string, found: string | null): GroupSubject | null {
    const group = found === null ? null : { properties: parseExactly(found) as Properties };
    groups.put(key, group, found?.length ?? 0);
    return group;
  }

  /** Shares one running lookup between all callers with the same key. */
  function once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const running = waiting.get(key);
    if (running !== undefined) return running as Promise<T>;
    const own = waiting;
    const promise = load().finally(() => own.delete(key));
    own.set(key, promise);
    return promise;
  }

  return {
    person(projectId, distinctId): MaybePromise<Subject | null> {
      const key = personKey({ projectId, distinctId });
      const known = persons.get(key);
      if (known !== undefined) {
        const isUnread = known !== null && 'text' in known;
        return isUnread ? cachePerson(key, parseExactly(known.text) as FoundPerson) : known;
      }
      const startedAt = generation;
      return once(`person ${key}`, () =>
        batch.lookUp('persons', { projectId, distinctId }, (found) => {
          if (generation === startedAt) return cachePerson(key, found);
          return found === null ? null : subjectOf(found);
        }),
      );
    },
    group(projectId, groupTypeIndex, groupKey): MaybePromise<GroupSubject | null> {
      if (groupKey.length > MAX_GROUP_KEY) return null;
      const key = `${projectId} ${groupTypeIndex} ${groupKey}`;
      const known = groups.get(key);
      if (known !== undefined) return known;
      return once(`group ${key}`, () =>
        batch.lookUp('groups', { projectId, groupTypeIndex, groupKey }, (found) => cacheGroup(key, found)),
      );
    },
    groupTypes: (projectId) => types.get(projectId) ?? null,
    groupsByType(projectId, keys) {
      const named = keys.filter(([, groupKey]) => groupKey.length <= MAX_GROUP_KEY);
      return batch.lookUp('named', { projectId, keys: named }, (found) => {
        types.set(projectId, found.types);
        const byIndex = found.groups.map(([index, groupKey, text]): [number, GroupSubject | null] => [
          index,
          cacheGroup(`${projectId} ${index} ${groupKey}`, text),
        ]);
        return { types: found.types, groups: new Map(byIndex) };
      });
    },
    location(ip) {
      const known = addresses.get(ip);
      if (known !== undefined) return known;
      if (publicAddress(ip) === null) {
        addresses.put(ip, null, 0);
        return null;
      }
      return once(`address ${ip}`, () =>
        batch.lookUp('addresses', ip, (found) => {
          addresses.put(ip, found, 0);
          return found;
        }),
      );
    },
    rememberHashKeys: (projectId, distinctIds, flagKeys, hashKey) =>
      batch.saveHashKeys({ projectId, distinctIds, flagKeys, hashKey }),
    forgetCohorts() {
      generation++;
      waiting = new Map();
      persons.clear();
      batch.cohortsChanged(generation);
    },
  };
}

function subjectOf([personId, uuid, properties, , memberOf, hashKeys]: FoundPerson): Subject {
  return {
    personId,
    uuid,
    properties,
    memberOf: memberOf.length === 0 ? NO_COHORTS : new Set(memberOf),
    hashKeys: hashKeys.length === 0 ? NO_KEYS : new Map(hashKeys),
  };
}

/** What one entry takes beside its texts, in characters, roughly. */
const BASE_CHARACTERS = 300;

interface MemoryLimits {
  entries: number;
  /** Characters of JSON text of all entries; in memory an object takes a few times as much. */
  characters: number;
}

/** LRU cache with a limit of entries and characters. */
interface SubjectMemory<T> {
  /** Undefined when nothing is remembered. */
  get(key: string): T | undefined;
  has(key: string): boolean;
  put(key: string, value: T, characters: number): void;
  delete(key: string): void;
  clear(): void;
  keys(): IterableIterator<string>;
}

/** `onForget` is called with each evicted value. */
export function createSubjectMemory<T>(
  limits: MemoryLimits,
  onForget: (value: T, key: string) => void = () => {},
): SubjectMemory<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let size = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size -= entry.size;
    onForget(entry.value, key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    has: (key) => entries.has(key),
    put(key, value, characters) {
      remove(key);
      const entry = { value, size: characters + key.length + BASE_CHARACTERS };
      entries.set(key, entry);
      size += entry.size;
      while (entries.size > limits.entries || size > limits.characters) remove(entries.keys().next().value!);
    },
    delete: remove,
    clear() {
      for (const key of entries.keys()) remove(key);
    },
    keys: () => entries.keys(),
  };
}

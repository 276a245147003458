import type { ServiceChannel } from '../../db/client.ts';
import { publicAddress, type GeoipProperties } from '../geoip/index.ts';
import { personKey, type Ahead, type FoundPerson, type Stale } from './flag-subjects-messages.ts';
import { createKeysOfPersons } from './keys-of-persons.ts';
import { createLookupBatch } from './lookup-batch.ts';
import { createSubjectMemory, type MemoryLimits } from './subject-memory.ts';
import type { FlagSubjects, GroupSubject, Properties, Soon, Subject } from './subject.ts';

/**
 * Room for 100,000 persons who were asked for, with a thousand characters of properties each, beside as many that were read
 * ahead; and for groups with three hundred.
 */
const PERSONS: MemoryLimits = { entries: 200_000, characters: 250_000_000 };
const GROUPS: MemoryLimits = { entries: 100_000, characters: 75_000_000 };
const ADDRESSES: MemoryLimits = { entries: 10_000, characters: 16_777_216 };

/** No group has a longer key (ingestion contract 6.7). */
const MAX_GROUP_KEY = 400;

/** A person that was read ahead: the text of a `FoundPerson`, which most are never asked for. */
interface ReadAhead {
  personId: number;
  text: string;
}

const NOBODY: ReadonlySet<number> = new Set();
const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** Makes the memory of this thread, over the channel to its part in the thread of the database. */
export function createFlagSubjects(
  channel: ServiceChannel,
  limits: { persons?: MemoryLimits; groups?: MemoryLimits } = {},
): FlagSubjects {
  const keysOf = createKeysOfPersons();
  const persons = createSubjectMemory<Subject | ReadAhead | null>(
    limits.persons ?? PERSONS,
    (person, key) => person !== null && keysOf.delete(person.personId, key),
  );
  const groups = createSubjectMemory<GroupSubject | null>(limits.groups ?? GROUPS);
  const addresses = createSubjectMemory<GeoipProperties | null>(ADDRESSES);
  const types = new Map<number, readonly (string | undefined)[]>();
  /** Lookups under way, by what they are for. */
  let waiting = new Map<string, Promise<unknown>>();
  /** Goes up with what makes answers old that are under way. */
  let generation = 0;
  const batch = createLookupBatch(channel, { stale: forget, ahead: rememberAhead });

  function forget(stale: Stale): void {
    for (const id of stale.personIds) for (const key of keysOf.of(id)) persons.delete(key);
    for (const name of stale.distinctIds) persons.delete(personKey(name));
    for (const { projectId, groupTypeIndex, groupKey } of stale.groups) {
      groups.delete(`${projectId} ${groupTypeIndex} ${groupKey}`);
    }
    for (const projectId of stale.types) types.delete(projectId);
    for (const projectId of stale.projects) forgetProject(projectId);
    if (stale.addresses) addresses.clear();
  }

  function forgetProject(projectId: number): void {
    types.delete(projectId);
    for (const memory of [persons, groups]) {
      for (const key of memory.keys()) if (key.startsWith(`${projectId} `)) memory.delete(key);
    }
  }

  function rememberPerson(key: string, found: FoundPerson | null): Subject | null {
    if (found === null) {
      persons.put(key, null, 0);
      return null;
    }
    const subject = subjectOf(found);
    persons.delete(key);
    keysOf.add(subject.personId, key);
    // Only now: what is larger than the whole memory is forgotten at once.
    persons.put(key, subject, found[3]);
    return subject;
  }

  /** Whoever was asked for is known already, and no older. */
  function rememberAhead(ahead: Ahead): void {
    if (ahead.generation !== generation) return;
    ahead.keys.forEach((key, n) => {
      if (persons.has(key)) return;
      const personId = ahead.personIds[n]!;
      const text = ahead.persons[n]!;
      keysOf.add(personId, key);
      persons.put(key, { personId, text }, text.length);
    });
  }

  function rememberGroup(key: string, found: string | null): GroupSubject | null {
    const group = found === null ? null : { properties: JSON.parse(found) as Properties };
    groups.put(key, group, found?.length ?? 0);
    return group;
  }

  /** One lookup for all who ask for the same while it is under way. */
  function once<T>(key: string, ask: (isCurrent: () => boolean) => Promise<T>): Promise<T> {
    const running = waiting.get(key);
    if (running !== undefined) return running as Promise<T>;
    const asked = generation;
    const own = waiting;
    const promise = ask(() => generation === asked).finally(() => own.delete(key));
    own.set(key, promise);
    return promise;
  }

  return {
    person(projectId, distinctId): Soon<Subject | null> {
      const key = personKey({ projectId, distinctId });
      const known = persons.get(key);
      if (known !== undefined) {
        const isUnread = known !== null && 'text' in known;
        return isUnread ? rememberPerson(key, JSON.parse(known.text) as FoundPerson) : known;
      }
      return once(`person ${key}`, (isCurrent) =>
        batch.ask('persons', { projectId, distinctId }, (found) =>
          isCurrent() ? rememberPerson(key, found) : found === null ? null : subjectOf(found),
        ),
      );
    },
    group(projectId, groupTypeIndex, groupKey): Soon<GroupSubject | null> {
      if (groupKey.length > MAX_GROUP_KEY) return null;
      const key = `${projectId} ${groupTypeIndex} ${groupKey}`;
      const known = groups.get(key);
      if (known !== undefined) return known;
      return once(`group ${key}`, () =>
        batch.ask('groups', { projectId, groupTypeIndex, groupKey }, (found) => rememberGroup(key, found)),
      );
    },
    groupTypes: (projectId) => types.get(projectId) ?? null,
    groupsByType(projectId, keys) {
      const named = keys.filter(([, groupKey]) => groupKey.length <= MAX_GROUP_KEY);
      return batch.ask('named', { projectId, keys: named }, (found) => {
        types.set(projectId, found.types);
        const byIndex = found.groups.map(([index, groupKey, text]): [number, GroupSubject | null] => [
          index,
          rememberGroup(`${projectId} ${index} ${groupKey}`, text),
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
        batch.ask('addresses', ip, (found) => {
          addresses.put(ip, found, 0);
          return found;
        }),
      );
    },
    rememberHashKeys: (projectId, distinctIds, flagKeys, hashKey) =>
      batch.keepHashKeys({ projectId, distinctIds, flagKeys, hashKey }),
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
    memberOf: memberOf.length === 0 ? NOBODY : new Set(memberOf),
    hashKeys: hashKeys.length === 0 ? NO_KEYS : new Map(hashKeys),
  };
}

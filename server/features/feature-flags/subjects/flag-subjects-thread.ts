import type { OwnerContext, OwnerService } from '../../../db/owner.ts';
import type { ParticipantContext, StoreParticipant } from '../../../warehouse/duckdb/commit-participant.ts';
import {
  openFlagSubjectTables,
  type FlagSubjectTables,
  type SubjectPart,
} from '../../../warehouse/duckdb/flag-subject-tables.ts';
import type { GroupName } from '../../../warehouse/duckdb/group-tables.ts';
import type { GeoipLookup } from '../../geoip/index.ts';
import type { GroupLookup, CommittedGroups } from '../../groups/index.ts';
import type { CommittedPersons, PersonLookup, LookedUpPerson } from '../../persons/index.ts';
import {
  personKey,
  type PrefetchedPersons,
  type LookupRequest,
  type DistinctName,
  type FromSubjects,
  type HashKeysRequest,
  type NamedGroups,
  type ToSubjects,
} from './flag-subjects-messages.ts';
import { createSharedEntries } from './shared-entries.ts';
import { createPersonPrefetch, type PersonPrefetch, type PrefetchedSize } from './fast/person-prefetch.ts';

/** The person or placeholder of a distinct ID, as sent to the server thread. */
interface PersonText {
  id: number;
  /** False: a placeholder. */
  isPerson: boolean;
  /** JSON text of a `FoundPerson`. */
  text: string;
}

/**
 * Finds the person of each distinct ID with all data that flags read; null for an unused one. `from` reads the
 * persons that the lookup does not hold, `tables` what else is stored of them. Between two commits.
 */
async function findPersons(
  names: readonly DistinctName[],
  lookup: PersonLookup,
  from: Pick<FlagSubjectTables, 'readPersons'>,
  tables: Pick<FlagSubjectTables, 'readParts'>,
): Promise<(PersonText | null)[]> {
  const persons = await lookup.find(names, from);
  const parts = await partsOf(persons, tables);
  return persons.map(
    (person) =>
      person && { id: person.id, isPerson: person.uuid !== null, text: textOf(person, parts(person)) },
  );
}

/** Static cohorts and hash keys of each, a person's own before those of persons merged into it. */
async function partsOf(
  persons: readonly (LookedUpPerson | null)[],
  tables: Pick<FlagSubjectTables, 'readParts'>,
): Promise<(person: LookedUpPerson) => SubjectPart[]> {
  const ids = persons.flatMap((person) => person?.allIds ?? []);
  const parts = new Map<number, SubjectPart[]>();
  for (const part of await tables.readParts([...new Set(ids)])) {
    const own = parts.get(part.personId);
    if (own === undefined) parts.set(part.personId, [part]);
    else own.push(part);
  }
  return ({ allIds }) => (parts.size === 0 ? [] : allIds.flatMap((id) => parts.get(id) ?? []));
}

/** JSON text of a `FoundPerson`. */
function textOf(person: LookedUpPerson, parts: readonly SubjectPart[]): string {
  const { id, uuid, properties } = person;
  const cohorts: number[] = [];
  const hashKeys = new Map<string, string>();
  for (const part of parts) {
    if ('cohortId' in part) cohorts.push(part.cohortId);
    else if (!hashKeys.has(part.flagKey)) hashKeys.set(part.flagKey, part.hashKey);
  }
  const rest = `[${cohorts.join(',')}],${hashKeys.size === 0 ? '[]' : JSON.stringify([...hashKeys])}`;
  return `[${id},${uuid === null ? 'null' : `"${uuid}"`},${properties},${properties.length},${rest}]`;
}

/** Prefetched persons per message: the server thread handles them in well under a millisecond. */
const PREFETCH_BATCH = 256;

/** Lookups of other features in the store thread. */
export interface SubjectSources {
  persons: PersonLookup;
  groups: GroupLookup;
  geoip: GeoipLookup;
}

/** The part of flag subjects in the store thread. */
export interface FlagSubjectsThread {
  /** Called with the changes of a commit or order, after it and before it is acknowledged. */
  personsCommitted(kept: CommittedPersons): void;
  groupsCommitted(kept: CommittedGroups): void;
  /** The GeoIP database has changed. */
  addressesChanged(): void;
  /** Opens the commit participant; it must come after persons and groups. */
  /** `prefetches`: persons are sent to the server thread before they are requested. */
  open(
    context: ParticipantContext,
    sources: SubjectSources,
    options: { prefetches: boolean },
  ): Promise<StoreParticipant>;
  /** Serves the channel to the server thread. */
  serve(context: OwnerContext): Promise<OwnerService>;
}

/**
 * Handles cache misses of the server thread, all waiting ones in one batch, between two commits, and sends
 * invalidations as soon as a commit changes shared entries. Both use one port, so a result never arrives after its
 * invalidation.
 */
export function createFlagSubjectsThread(): FlagSubjectsThread {
  const shared = createSharedEntries();
  let send: (message: FromSubjects) => void = () => {};
  let opened: {
    context: ParticipantContext;
    sources: SubjectSources;
    tables: FlagSubjectTables;
    /** Null: persons are not prefetched. */
    personPrefetch: PersonPrefetch | null;
  } | null = null;
  let requests: LookupRequest[] = [];
  let hashKeyRequests: HashKeysRequest[] = [];
  let mustRefreshParts = false;
  let isClosing = false;
  /** Counts changes of static cohorts. */
  let generation = 0;

  /** Best effort: persons that are not prefetched are looked up on demand. */
  function prefetch(requests: number): void {
    const { context, personPrefetch } = opened!;
    personPrefetch?.requested(requests, context.betweenCommits).catch((error: unknown) => {
      context.log.debug({ error: String(error) }, 'Persons were not read ahead for feature flags');
    });
  }

  /** Sends the persons of an ID range; between two commits. */
  async function sendPrefetched(from: number, to: number): Promise<PrefetchedSize> {
    const { tables } = opened!;
    // Changes from here on invalidate the result.
    const asOf = generation;
    const near = new Map((await tables.readPersonsBetween(from, to)).map((person) => [person.id, person]));
    const names = await tables.readNamesBetween(from, to);
    const persons = await find(names, {
      async readPersons(ids) {
        const missing = ids.filter((id) => !near.has(id));
        return [...near.values(), ...(await tables.readPersons(missing))];
      },
    });
    let characters = 0;
    let message = newPrefetchMessage(asOf);
    names.forEach((name, n) => {
      const person = persons[n];
      if (!person) return;
      characters += person.text.length;
      message.keys.push(personKey(name));
      message.personIds.push(person.id);
      message.persons.push(person.text);
      noteShared(name, person);
      if (message.keys.length < PREFETCH_BATCH) return;
      send(message);
      message = newPrefetchMessage(asOf);
    });
    if (message.keys.length > 0) send(message);
    sendInvalidations();
    return { names: names.length, characters };
  }

  async function find(
    names: readonly DistinctName[],
    from: Pick<FlagSubjectTables, 'readPersons'>,
  ): Promise<(PersonText | null)[]> {
    const { sources, tables } = opened!;
    const mustRefresh = mustRefreshParts;
    // Reset before the refresh, so that a change during it causes another one.
    mustRefreshParts = false;
    if (mustRefresh) await tables.refreshHasParts();
    return await findPersons(names, sources.persons, from, tables);
  }

  function noteShared(name: DistinctName, found: PersonText | null): void {
    if (found?.isPerson) shared.person(found.id);
    else shared.withoutPerson(name);
  }

  function sendInvalidations(): void {
    const invalidations = shared.drainInvalidations();
    if (invalidations !== null) send(invalidations);
  }

  function forgetProject(projectId: number): void {
    shared.projectDeleted(projectId);
    sendInvalidations();
  }

  /** Runs between two commits and handles all waiting requests. Returns the number of requested persons. */
  async function respondToAll(): Promise<number> {
    const taken = requests;
    requests = [];
    try {
      await respond(taken);
    } catch (error) {
      opened!.context.log.warn({ error: String(error) }, 'Persons could not be read for feature flags');
      for (const { id } of taken) send({ kind: 'failed', id });
    }
    return taken.reduce((sum, { persons }) => sum + persons.length, 0);
  }

  async function respond(taken: readonly LookupRequest[]): Promise<void> {
    const { sources, tables } = opened!;
    const names = taken.flatMap((one) => one.persons);
    const persons = await find(names, tables);
    const named = taken.map((one) => one.named.map((project) => namesOf(project, sources.groups)));
    const groupNames = taken.flatMap((one, n) => [
      ...one.groups,
      ...named[n]!.flatMap((project) => project.names),
    ]);
    const groups = await sources.groups.find(groupNames);
    let person = 0;
    let group = 0;
    taken.forEach((one, n) => {
      send({
        kind: 'found',
        id: one.id,
        persons: `[${one.persons.map(() => persons[person++]?.text ?? 'null').join(',')}]`,
        groups: one.groups.map(() => groups[group++]!),
        named: named[n]!.map(({ types, names: project }) => ({
          types,
          groups: project.map((name) => [name.groupTypeIndex, name.groupKey, groups[group++]!]),
        })),
        addresses: one.addresses.map((ip) => sources.geoip(ip)),
      });
      for (const { projectId } of one.named) shared.types(projectId);
    });
    names.forEach((name, n) => noteShared(name, persons[n]!));
    groupNames.forEach(shared.group);
    // Invalidate entries beyond the size of the cache.
    sendInvalidations();
  }

  /** Saves all waiting hash keys in one transaction. */
  async function saveHashKeys(): Promise<void> {
    const { context, sources, tables } = opened!;
    let taken: HashKeysRequest[] = [];
    const counted: { projectId: number; ids: readonly number[]; distinctIds: readonly string[] }[] = [];
    try {
      await context.order({
        async work() {
          taken = hashKeyRequests;
          hashKeyRequests = [];
          for (const { projectId, distinctIds, flagKeys, hashKey } of taken) {
            const allIds = sources.persons.idsOf(projectId, distinctIds);
            if (allIds === null) continue;
            const personId = allIds[0]!;
            const now = context.clock();
            await tables.insertHashKeys({ projectId, personId, allIds, flagKeys, hashKey, now });
            counted.push({ projectId, ids: allIds, distinctIds });
          }
        },
        committed() {
          for (const { projectId, ids, distinctIds } of counted) {
            shared.personChanged(ids[0]!);
            for (const distinctId of distinctIds) shared.distinctIdChanged(projectId, distinctId);
          }
          sendInvalidations();
          for (const { id } of taken) send({ kind: 'kept', id });
        },
        rolledBack() {},
      });
    } catch (error) {
      context.log.warn({ error: String(error) }, 'Hash keys of feature flags could not be kept');
      if (taken.length === 0) taken = hashKeyRequests.splice(0);
      for (const { id } of taken) send({ kind: 'failed', id });
    }
  }

  return {
    personsCommitted({ changed, removed, distinctIds, deletedDistinctIds }) {
      if (shared.isEmpty) return;
      for (const { id } of changed) shared.personChanged(id);
      for (const { id } of removed) shared.personChanged(id);
      for (const { projectId, distinctId } of distinctIds) shared.distinctIdChanged(projectId, distinctId);
      for (const { projectId, distinctId } of deletedDistinctIds) {
        shared.distinctIdChanged(projectId, distinctId);
      }
      sendInvalidations();
    },
    groupsCommitted({ groups, projectsOfTypes }) {
      if (shared.isEmpty) return;
      for (const group of groups) shared.groupChanged(group);
      for (const projectId of projectsOfTypes) shared.typesChanged(projectId);
      sendInvalidations();
    },
    addressesChanged() {
      shared.addressesChanged();
      sendInvalidations();
    },
    async open(context, sources, { prefetches }) {
      const tables = await openFlagSubjectTables(context.connection);
      const personPrefetch = prefetches
        ? createPersonPrefetch({ lastPersonId: tables.lastPersonId, read: sendPrefetched })
        : null;
      opened = { context, sources, tables, personPrefetch };
      return {
        closing() {
          isClosing = true;
          opened!.personPrefetch?.stop();
        },
        forgetProject: async (projectId) => forgetProject(projectId),
        beforeWipe: async (projectId) => () => forgetProject(projectId),
      };
    },
    async serve(context) {
      send = (message) => context.post(message);
      return {
        post(message: never) {
          const order = message as ToSubjects;
          if (isClosing) {
            if ('id' in order) send({ kind: 'failed', id: order.id });
          } else if (order.kind === 'asked') {
            if (requests.push(order) === 1) void opened!.context.betweenCommits(respondToAll).then(prefetch);
          } else if (order.kind === 'hash_keys') {
            if (hashKeyRequests.push(order) === 1) void saveHashKeys();
          } else {
            generation = order.generation;
            mustRefreshParts = true;
            opened!.personPrefetch?.invalidate();
          }
        },
        async close() {},
      };
    },
  };
}

function newPrefetchMessage(generation: number): PrefetchedPersons {
  return { kind: 'ahead', generation, keys: [], personIds: [], persons: [] };
}

/** The group types of a project, and groups by type index. */
function namesOf(
  { projectId, keys }: NamedGroups,
  lookup: GroupLookup,
): { types: (string | undefined)[]; names: GroupName[] } {
  const types = lookup.typesOf(projectId);
  const byType = new Map(keys);
  const names = types.flatMap((type, groupTypeIndex) => {
    const groupKey = type === undefined ? undefined : byType.get(type);
    return groupKey === undefined ? [] : [{ projectId, groupTypeIndex, groupKey }];
  });
  return { types, names };
}

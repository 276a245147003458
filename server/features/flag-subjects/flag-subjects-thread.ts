import type { OwnerContext, OwnerService } from '../../db/owner.ts';
import type { ParticipantContext, StoreParticipant } from '../../warehouse/duckdb/commit-participant.ts';
import { openFlagSubjectTables, type FlagSubjectTables } from '../../warehouse/duckdb/flag-subject-tables.ts';
import type { GroupName } from '../../warehouse/duckdb/group-tables.ts';
import type { GeoipLookup } from '../geoip/index.ts';
import type { GroupLookup, KeptGroups } from '../groups/index.ts';
import type { KeptPersons, PersonLookup } from '../persons/index.ts';
import {
  personKey,
  type Ahead,
  type Asked,
  type DistinctName,
  type FromSubjects,
  type HashKeysAsked,
  type NamedGroups,
  type ToSubjects,
} from './flag-subjects-messages.ts';
import { findPersons, type PersonText } from './found-persons.ts';
import { createGivenOut } from './given-out.ts';
import { createPersonsAhead, type PersonsAhead, type ReadAhead } from './persons-ahead.ts';

/** Persons that nobody has asked for, in one message: the thread that answers everybody takes them in well under a millisecond. */
const AHEAD_TOGETHER = 256;

/** What others in the thread of the database know. */
export interface SubjectSources {
  persons: PersonLookup;
  groups: GroupLookup;
  geoip: GeoipLookup;
}

/** The part of the memory of flags that lives in the thread of the database. */
export interface FlagSubjectsThread {
  /** Told of what a commit or an order has changed, after it holds and before it is acknowledged. */
  personsKept(kept: KeptPersons): void;
  groupsKept(kept: KeptGroups): void;
  /** Addresses are looked up in another file from now on. */
  addressesChanged(): void;
  /** Takes its place among those who work with the commits, behind persons and groups. */
  open(context: ParticipantContext, sources: SubjectSources): Promise<StoreParticipant>;
  /** The way to the server. */
  serve(context: OwnerContext): Promise<OwnerService>;
}

/**
 * Answers what the memory in the server's thread lacks, all that waits at once, between two commits, and takes back what it
 * gave out as soon as a commit changes it: over one port, so that an answer never comes after what makes it old.
 */
export function createFlagSubjectsThread(): FlagSubjectsThread {
  const given = createGivenOut();
  let send: (message: FromSubjects) => void = () => {};
  let opened: {
    context: ParticipantContext;
    sources: SubjectSources;
    tables: FlagSubjectTables;
    ahead: PersonsAhead;
  } | null = null;
  let asked: Asked[] = [];
  let toKeep: HashKeysAsked[] = [];
  let mustLookForParts = false;
  let isClosing = false;
  /** Of the last change of static cohorts. */
  let generation = 0;

  /** Nobody waits for it, and what it lacks is asked for. */
  function readAhead(asked: number): void {
    const { context, ahead } = opened!;
    ahead.asked(asked, context.betweenCommits).catch((error: unknown) => {
      context.log.debug({ error: String(error) }, 'Persons were not read ahead for feature flags');
    });
  }

  /** Gives out the persons of these numbers that nobody has asked for; between two commits. */
  async function giveAhead(from: number, to: number): Promise<ReadAhead> {
    const { tables } = opened!;
    // Whatever changes from here on makes it old.
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
    let message = aheadOf(asOf);
    names.forEach((name, n) => {
      const person = persons[n];
      if (!person) return;
      characters += person.text.length;
      message.keys.push(personKey(name));
      message.personIds.push(person.id);
      message.persons.push(person.text);
      noteGiven(name, person);
      if (message.keys.length < AHEAD_TOGETHER) return;
      send(message);
      message = aheadOf(asOf);
    });
    if (message.keys.length > 0) send(message);
    sendStale();
    return { names: names.length, characters };
  }

  async function find(
    names: readonly DistinctName[],
    from: Pick<FlagSubjectTables, 'readPersons'>,
  ): Promise<(PersonText | null)[]> {
    const { sources, tables } = opened!;
    const mustLook = mustLookForParts;
    // Before the look: what is told meanwhile asks for another one.
    mustLookForParts = false;
    if (mustLook) await tables.refreshHasParts();
    return await findPersons(names, sources.persons, from, tables);
  }

  function noteGiven(name: DistinctName, found: PersonText | null): void {
    if (found?.isPerson) given.person(found.id);
    else given.withoutPerson(name);
  }

  function sendStale(): void {
    const stale = given.takeStale();
    if (stale !== null) send(stale);
  }

  function forgetProject(projectId: number): void {
    given.projectGone(projectId);
    sendStale();
  }

  /** Runs between two commits; everything that has come by then is answered by it. Returns how many persons were asked for. */
  async function answerAll(): Promise<number> {
    const taken = asked;
    asked = [];
    try {
      await answer(taken);
    } catch (error) {
      opened!.context.log.warn({ error: String(error) }, 'Persons could not be read for feature flags');
      for (const { id } of taken) send({ kind: 'failed', id });
    }
    return taken.reduce((sum, { persons }) => sum + persons.length, 0);
  }

  async function answer(taken: readonly Asked[]): Promise<void> {
    const { sources, tables } = opened!;
    const names = taken.flatMap((one) => one.persons);
    const persons = await find(names, tables);
    const named = taken.map((one) => one.named.map((wanted) => namesOf(wanted, sources.groups)));
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
        named: named[n]!.map(({ types, names: wanted }) => ({
          types,
          groups: wanted.map((name) => [name.groupTypeIndex, name.groupKey, groups[group++]!]),
        })),
        addresses: one.addresses.map((ip) => sources.geoip(ip)),
      });
      for (const { projectId } of one.named) given.types(projectId);
    });
    names.forEach((name, n) => noteGiven(name, persons[n]!));
    groupNames.forEach(given.group);
    // More than the memory holds was given out.
    sendStale();
  }

  /** Keeps all hash keys that have come by then, in one transaction. */
  async function keepAll(): Promise<void> {
    const { context, sources, tables } = opened!;
    let taken: HashKeysAsked[] = [];
    const counted: { projectId: number; ids: readonly number[]; distinctIds: readonly string[] }[] = [];
    try {
      await context.order({
        async work() {
          taken = toKeep;
          toKeep = [];
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
            given.personChanged(ids[0]!);
            for (const distinctId of distinctIds) given.distinctIdChanged(projectId, distinctId);
          }
          sendStale();
          for (const { id } of taken) send({ kind: 'kept', id });
        },
        rolledBack() {},
      });
    } catch (error) {
      context.log.warn({ error: String(error) }, 'Hash keys of feature flags could not be kept');
      if (taken.length === 0) taken = toKeep.splice(0);
      for (const { id } of taken) send({ kind: 'failed', id });
    }
  }

  return {
    personsKept({ changed, removed, distinctIds, deletedDistinctIds }) {
      if (given.isEmpty) return;
      for (const { id } of changed) given.personChanged(id);
      for (const { id } of removed) given.personChanged(id);
      for (const { projectId, distinctId } of distinctIds) given.distinctIdChanged(projectId, distinctId);
      for (const { projectId, distinctId } of deletedDistinctIds) {
        given.distinctIdChanged(projectId, distinctId);
      }
      sendStale();
    },
    groupsKept({ groups, projectsOfTypes }) {
      if (given.isEmpty) return;
      for (const group of groups) given.groupChanged(group);
      for (const projectId of projectsOfTypes) given.typesChanged(projectId);
      sendStale();
    },
    addressesChanged() {
      given.addressesChanged();
      sendStale();
    },
    async open(context, sources) {
      const tables = await openFlagSubjectTables(context.connection);
      const ahead = createPersonsAhead({ lastPersonId: tables.lastPersonId, read: giveAhead });
      opened = { context, sources, tables, ahead };
      return {
        closing() {
          isClosing = true;
          opened!.ahead.stop();
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
            if (asked.push(order) === 1) void opened!.context.betweenCommits(answerAll).then(readAhead);
          } else if (order.kind === 'hash_keys') {
            if (toKeep.push(order) === 1) void keepAll();
          } else {
            generation = order.generation;
            mustLookForParts = true;
            opened!.ahead.again();
          }
        },
        async close() {},
      };
    },
  };
}

function aheadOf(generation: number): Ahead {
  return { kind: 'ahead', generation, keys: [], personIds: [], persons: [] };
}

/** The types of a project, and its groups by the indexes of theirs. */
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

import { inTransaction } from '../../db/in-transaction.ts';
import { withoutLoneSurrogates } from '../../lib/json-text.ts';
import { newUuid, randomWords } from '../../lib/ids.ts';
import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import { createDistinctIdMap } from '../../warehouse/duckdb/distinct-id-map.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { requestErasure } from '../../warehouse/duckdb/erasure-requests.ts';
import { createPersonMaintenance, type PersonLimits } from '../../warehouse/duckdb/person-maintenance.ts';
import {
  openPersonTables,
  type PersonChanges,
  type PersonTables,
  type StoredPerson,
} from '../../warehouse/duckdb/person-tables.ts';
import { applyEvent, readDerived, updatePerson, type PersonRefusal } from './apply-events.ts';
import { createMergeLinks } from './merge-links.ts';
import { createPendingBirths } from './pending-births.ts';
import { createPersonBook, type BookChanges, type KeptPersons } from './person-book.ts';
import { createPersonCache, type CachedPerson } from './person-cache.ts';
import { createPersonLookup, type PersonLookup } from './person-lookup.ts';
import type { PersonOrderOf, PersonSet } from './person-orders.ts';
import { copyOf, sourcesOf, sourcesText, type PersonState, type Properties } from './person-state.ts';
import { personUuid } from './person-uuid.ts';
import { createWrittenNames } from './write-saving.ts';

/** What others do about persons. */
export interface PersonHooks {
  /** Hears of what events asked for and did not happen. */
  onRefusal(row: EventRow, refusal: PersonRefusal): void;
  /** Hears of every change after it holds and before it is acknowledged. */
  onKept(kept: KeptPersons): void;
  /** Takes out what elsewhere tells of persons who are being deleted; their ids and longer texts are given. */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
}

/** The part of persons that lives in the thread of the database. */
export interface PersonsThread extends CommitParticipant {
  readonly lookup: PersonLookup;
}

/** A statement that may read rows of births names one of their tables, or a view of them, which are called the same. */
const READS_PERSONS = /\bperson(s|_distinct_ids)/i;

/** Shorter texts of properties say nothing about whose they are. */
const TELLING_LENGTH = 6;

/**
 * Persons in the commits of their events: every event is given its person, and what events say about persons is written
 * in the same transaction, in the order of their arrival (ingestion contract 6.7a).
 */
export async function openPersons(
  context: ParticipantContext,
  hooks: PersonHooks,
  limits?: PersonLimits,
): Promise<PersonsThread> {
  const { connection, clock } = context;
  const tables = await openPersonTables(connection);
  await writeForgottenBirths(context, tables);
  const owners = createDistinctIdMap(randomWords(4));
  await tables.readOwners((projectId, distinctId, personId, hasPerson) =>
    owners.set(projectId, distinctId, personId, hasPerson),
  );
  const cache = createPersonCache();
  const births = createPendingBirths();
  const writtenNames = createWrittenNames();
  const links = createMergeLinks(await tables.readMerges());
  const book = createPersonBook({ owners, links, newPersonId: tables.newPersonId });
  const maintenance = createPersonMaintenance({
    connection: await context.connect(),
    writeLock: context.writeLock,
    resources: context.resources,
    pending: await tables.countRecent(),
    limits,
  });
  /** Refusals of the commit under way: told when it holds, so that one tried again tells of them once. */
  let refusals: { row: EventRow; refusal: PersonRefusal }[] = [];
  const applyContext = {
    book,
    onRefusal: (row: EventRow, refusal: PersonRefusal) => void refusals.push({ row, refusal }),
  };

  /** Whether what follows from the properties of an event may change its person. */
  function maySayNew({ projectId, distinctId, event, identity, derived }: EventRow): boolean {
    if (derived === null) return false;
    if (identity !== null && (identity.set ?? identity.setOnce ?? identity.unset ?? identity.merge) !== null)
      return true;
    const owner = owners.find(projectId, distinctId);
    return owner === null || !owner.hasPerson || !writtenNames.sayNothingNew(owner.personId, event, derived);
  }

  /** The persons whose state `apply` will need, and those of which it needs all distinct ids. */
  function wantedBy(rows: readonly EventRow[]): { ids: Set<number>; withDistinctIds: Set<number> } | null {
    let wanted: { ids: Set<number>; withDistinctIds: Set<number> } | null = null;
    for (const row of rows) {
      if (maySayNew(row)) readDerived(row);
      const { projectId, distinctId, identity } = row;
      if (identity === null) continue;
      const { merge } = identity;
      if ((identity.set ?? identity.setOnce ?? identity.unset ?? merge) === null) continue;
      for (const id of merge === null ? [distinctId] : [distinctId, merge.otherId]) {
        const owner = owners.find(projectId, id);
        if (owner === null || !owner.hasPerson) continue;
        wanted ??= { ids: new Set(), withDistinctIds: new Set() };
        wanted.ids.add(owner.personId);
        if (merge !== null) wanted.withDistinctIds.add(owner.personId);
      }
    }
    return wanted;
  }

  async function hold(ids: ReadonlySet<number>, withDistinctIds: ReadonlySet<number>): Promise<void> {
    const known: PersonState[] = [];
    const missing: number[] = [];
    for (const id of ids) {
      const cached = cache.get(id);
      const person = cached === undefined ? ownCopyOf(births.find(id)) : stateOf(cached);
      if (person === undefined) missing.push(id);
      else known.push(person);
    }
    for (const stored of await tables.readPersons(missing)) {
      const person = stateOf({ stored, distinctIds: null });
      cache.put({ stored, distinctIds: null });
      writtenNames.note(person);
      known.push(person);
    }
    const bare = known.filter((person) => person.distinctIds === null && withDistinctIds.has(person.id));
    await readDistinctIds(bare);
    book.hold(known);
  }

  async function readDistinctIds(persons: readonly PersonState[]): Promise<void> {
    const lists = new Map(persons.map((person) => [person.id, new Map<string, number>()]));
    for (const row of await tables.readDistinctIds([...lists.keys()])) {
      if (owners.find(row.projectId, row.distinctId)?.personId !== row.personId) continue;
      lists.get(row.personId)!.set(row.distinctId, row.position);
    }
    for (const person of persons) {
      person.distinctIds = [...lists.get(person.id)!]
        .map(([distinctId, position]) => ({ distinctId, position }))
        .sort((a, b) => a.position - b.position);
    }
  }

  /** Births wait for a while, because rows of their own cost more than all else of a small commit. */
  async function write(): Promise<void> {
    const isWaiting = book.hasBirthsOnly && births.hasRoom;
    const changes = book.changes();
    waiting = isWaiting ? changes : null;
    if (isWaiting) return;
    mergedIn = changes.merges.map(({ projectId }) => projectId);
    if (!births.isEmpty) await append(births.changes());
    await append(changes);
  }

  /** Writes the births that wait; null when there are none, or the statement reads no persons. Between two commits. */
  function flush(sql?: string): Promise<void> | null {
    if (births.isEmpty || (sql !== undefined && !READS_PERSONS.test(sql))) return null;
    return context.betweenCommits(writeBirths);
  }

  /** Between two commits. */
  async function writeBirths(): Promise<void> {
    if (births.isEmpty) return;
    const changes = births.changes();
    try {
      await inTransaction(connection, () => append(changes));
      cacheWritten();
    } finally {
      // What was not written is not for the cache of the next commit.
      written.clear();
    }
    births.clear();
    maintenance.committed(changes.distinctIds.length);
  }

  /** Between two commits: every distinct id of the project with its person, to be let go of when they are gone. */
  async function beforeWipe(projectId: number): Promise<() => void> {
    await writeBirths();
    await inTransaction(connection, () => tables.saveLastPersonId());
    const known: [distinctId: string, personId: number][] = [];
    await tables.readOwners((_, distinctId, personId) => known.push([distinctId, personId]), projectId);
    return () => {
      for (const [distinctId, personId] of known) {
        owners.delete(projectId, distinctId);
        cache.delete(personId);
      }
    };
  }

  async function settle(): Promise<void> {
    await flush();
    await maintenance.settle();
  }

  async function append({ persons, deletedPersons, ...rest }: BookChanges): Promise<void> {
    await tables.append({
      ...rest,
      persons: persons.map((person) => storedOf(person)),
      deletedPersons: deletedPersons.map((person) => ({ ...person, ...NOTHING })),
    });
  }

  /** The births of the commit under way, when they are to wait. */
  let waiting: BookChanges | null = null;
  /** Projects in which the commit under way merges persons. */
  let mergedIn: number[] = [];
  /** What the commit under way writes. */
  const written = new Map<number, CachedPerson>();

  function storedOf(person: PersonState): StoredPerson {
    const properties = withoutLoneSurrogates(JSON.stringify(person.properties));
    const sources = withoutLoneSurrogates(sourcesText(person.sources));
    person.size = properties.length;
    const { projectId, id, uuid, createdAt, isIdentified } = person;
    const stored = { projectId, id, uuid, createdAt, properties, sources, isIdentified };
    written.set(id, { stored, distinctIds: person.distinctIds });
    return stored;
  }

  function cacheWritten(): void {
    for (const person of written.values()) cache.put(person);
    written.clear();
  }

  function committed(): void {
    if (waiting !== null) births.add(waiting);
    else if (book.hasChanges) births.clear();
    waiting = null;
    for (const projectId of mergedIn) context.personsMerged(projectId);
    mergedIn = [];
    const kept = book.keep();
    const { changed, removed } = kept;
    cacheWritten();
    for (const person of changed) writtenNames.note(person);
    for (const { id } of removed) {
      cache.delete(id);
      writtenNames.forget(id);
    }
    maintenance.committed(changed.length + removed.length);
    hooks.onKept(kept);
    for (const { row, refusal } of refusals) hooks.onRefusal(row, refusal);
    refusals = [];
  }

  function rolledBack(): void {
    waiting = null;
    mergedIn = [];
    refusals = [];
    written.clear();
    book.takeBack();
  }

  /** Changes persons of a project in the book by order; `more` adds statements to it. */
  function order<T>(
    projectId: number,
    personIds: readonly number[],
    change: (persons: readonly PersonState[]) => T,
    more: (result: T) => Promise<void> = async () => {},
  ): Promise<T> {
    const ids = new Set(personIds);
    return context.order({
      projectId,
      read: () => hold(ids, ids),
      async work() {
        const persons = [...ids].map((id) => book.find(id));
        const result = change(persons.filter((person) => person?.projectId === projectId) as PersonState[]);
        if (book.hasChanges) await write();
        await more(result);
        return result;
      },
      committed,
      rolledBack,
    });
  }

  function set({ projectId, personId, set, unset }: PersonOrderOf<'persons.set'>): Promise<PersonSet> {
    return order<PersonSet>(projectId, [personId], ([person]) => {
      if (person === undefined) return 'not_found';
      const change = { set, setOnce: null, unset };
      return updatePerson(book, person.id, change, '', clock() * 1_000) ? 'set' : 'too_large';
    });
  }

  async function remove({
    projectId,
    personIds,
    deleteEvents,
    distinctIds,
  }: PersonOrderOf<'persons.delete'>): Promise<number> {
    const deleted = await order(
      projectId,
      personIds,
      (persons) => {
        const eventIds = persons.flatMap(({ id }) => links.allIdsOf(id));
        for (const person of persons) book.remove(person);
        const texts = persons.flatMap(textsOf);
        for (const distinctId of deleteEvents ? distinctIds : []) {
          const placeholder = book.removePlaceholder(projectId, distinctId);
          if (placeholder === null) continue;
          eventIds.push(placeholder);
          texts.push(distinctId);
        }
        return { count: persons.length, eventIds, texts };
      },
      async ({ eventIds, texts }) => {
        if (eventIds.length === 0) return;
        await hooks.forget(projectId, texts);
        await tables.forget(projectId, eventIds, deleteEvents);
        await requestErasure(connection, clock());
      },
    );
    return deleted.count;
  }

  async function split({
    projectId,
    personId,
    mainDistinctId,
  }: PersonOrderOf<'persons.split'>): Promise<boolean> {
    return await order(
      projectId,
      [personId],
      ([person]) => {
        if (person === undefined) return null;
        const ids = person.distinctIds!.map(({ distinctId }) => distinctId);
        const main = mainDistinctId !== null && ids.includes(mainDistinctId) ? mainDistinctId : ids[0];
        const others = ids.filter((id) => id !== main);
        const made = book.splitOff(book.edit(person.id), others, newUuid);
        return others.map((distinctId, index) => ({ distinctId, personId: made[index]!.id }));
      },
      async (moves) => {
        if (moves !== null && moves.length > 0) await tables.moveEvents(projectId, moves);
      },
    ).then((moves) => moves !== null);
  }

  return {
    lookup: createPersonLookup({ owners, links, cache, births }),
    lastPersonId: tables.lastPersonId,
    prepare(rows) {
      const wanted = wantedBy(rows);
      return wanted === null ? null : hold(wanted.ids, wanted.withDistinctIds);
    },
    apply(rows) {
      for (const row of rows) applyEvent(row, applyContext);
    },
    write: () => (book.hasChanges ? write() : null),
    committed,
    rolledBack,
    flush,
    async maintain(isQuiet) {
      await flush();
      await maintenance.maintain(isQuiet, () =>
        context.betweenCommits(async () => links.read(await tables.readMerges())),
      );
    },
    settle,
    async forgetProject(projectId) {
      // Settling notes which ids were given out before the rows that tell of them go.
      await settle();
      await context.betweenCommits(() =>
        tables.readOwners((project, distinctId, personId) => {
          owners.delete(project, distinctId);
          cache.delete(personId);
        }, projectId),
      );
    },
    beforeWipe,
    calls: { 'persons.set': set, 'persons.delete': remove, 'persons.split': split },
    async close() {
      tables.close();
      await maintenance.close();
    },
  };
}

/** Writes the births of which only the events were stored when the process before ended. */
async function writeForgottenBirths({ connection }: ParticipantContext, tables: PersonTables): Promise<void> {
  const forgotten = await tables.readUnwrittenPersons();
  if (forgotten.length === 0) return;
  const births: PersonChanges = {
    persons: forgotten.flatMap(({ projectId, distinctId, personId, createdAt }) =>
      createdAt === null
        ? []
        : [
            {
              projectId,
              id: personId,
              uuid: personUuid(projectId, distinctId),
              createdAt,
              isIdentified: false,
              ...NOTHING,
            },
          ],
    ),
    deletedPersons: [],
    distinctIds: forgotten.map((birth) => ({ ...birth, position: 0 })),
    deletedDistinctIds: [],
    merges: [],
    history: [],
  };
  await inTransaction(connection, () => tables.append(births));
}

const NOTHING = { properties: '{}', sources: '{}' } as const;

/** What names a person elsewhere. */
function textsOf({ distinctIds, properties }: PersonState): string[] {
  const values = Object.values(properties).filter((value) => typeof value === 'string');
  return [
    ...distinctIds!.map(({ distinctId }) => distinctId),
    ...values.filter((text) => text.length >= TELLING_LENGTH),
  ];
}

function ownCopyOf(person: PersonState | undefined): PersonState | undefined {
  if (person === undefined) return undefined;
  return { ...person, properties: copyOf(person.properties), sources: copyOf(person.sources) };
}

/** The person for one commit: nothing of it is shared. */
function stateOf({ stored, distinctIds }: CachedPerson): PersonState {
  return {
    ...stored,
    properties: copyOf(JSON.parse(stored.properties) as Properties),
    size: stored.properties.length,
    sources: sourcesOf(stored.sources),
    distinctIds,
  };
}

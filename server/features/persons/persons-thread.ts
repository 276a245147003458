import { parseExactly } from '../../lib/exact-number.contract.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { jsonText, withoutLoneSurrogates } from '../../lib/json-text.ts';
import { newUuid, randomWords } from '../../lib/ids.ts';
import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import { createDistinctIdMap } from './distinct-id-map.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { noteDeletion } from '../../warehouse/duckdb/warehouse-stream.ts';
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
import { createPendingNewPersons } from './pending-new-persons.ts';
import {
  createPersonUnitOfWork,
  type PersonChangeSet,
  type CommittedPersons,
} from './person-unit-of-work.ts';
import { createPersonCache, type CachedPerson } from './person-cache.ts';
import { createPersonLookup, type PersonLookup } from './person-lookup.ts';
import type { PersonOrderOf, PersonSet } from './person-orders.ts';
import { copyOf, sourcesOf, sourcesText, type PersonState, type Properties } from './person-state.ts';
import { personUuid } from './person-uuid.ts';
import { createWrittenNames } from './write-saving.ts';

/** Callbacks into other features. */
export interface PersonHooks {
  /** Called for each rejected change of a person. */
  onRefusal(row: EventRow, refusal: PersonRefusal): void;
  /** Called for every change, after the commit and before it is acknowledged. */
  onCommitted(committedPersons: CommittedPersons): void;
  /** Deletes data about deleted persons in other features, given their IDs and longer property values. */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
}

/** The part of persons in the store thread. */
export interface PersonsThread extends CommitParticipant {
  readonly lookup: PersonLookup;
}

/** A statement that may read pending rows names one of these tables or views. */
const READS_PERSONS = /\bperson(s|_distinct_ids)/i;

/** Shorter property values do not identify a person. */
const MIN_TEXT_LENGTH = 6;

/**
 * Persons in the commits of their events: every event gets its person, and identity updates are written in the same
 * transaction, in order of arrival (ingestion contract 6.7a).
 */
export async function openPersons(
  context: ParticipantContext,
  hooks: PersonHooks,
  limits?: PersonLimits,
): Promise<PersonsThread> {
  const { connection, clock } = context;
  const tables = await openPersonTables(connection);
  await writeUnwrittenPersons(context, tables);
  const owners = createDistinctIdMap(randomWords(4));
  await tables.readOwners((projectId, distinctId, personId, hasPerson) =>
    owners.set(projectId, distinctId, personId, hasPerson),
  );
  const cache = createPersonCache();
  const newPersons = createPendingNewPersons();
  const writtenNames = createWrittenNames();
  const links = createMergeLinks(await tables.readMerges());
  const unit = createPersonUnitOfWork({ owners, links, newPersonId: tables.newPersonId });
  const maintenance = createPersonMaintenance({
    connection: await context.connect(),
    writeLock: context.writeLock,
    resources: context.resources,
    pending: await tables.countRecent(),
    hold: context.hold,
    limits,
  });
  /** Refusals of the current commit; reported after it, so that a retried commit reports each once. */
  let refusals: { row: EventRow; refusal: PersonRefusal }[] = [];
  const applyContext = {
    unit: unit,
    onRefusal: (row: EventRow, refusal: PersonRefusal) => void refusals.push({ row, refusal }),
  };

  /** Whether changes derived from event properties may change the person. */
  function mayChangePerson({ projectId, distinctId, event, identity, derived }: EventRow): boolean {
    if (derived === null) return false;
    if (identity !== null && (identity.set ?? identity.setOnce ?? identity.unset ?? identity.merge) !== null)
      return true;
    const owner = owners.find(projectId, distinctId);
    return owner === null || !owner.hasPerson || !writtenNames.sayNothingNew(owner.personId, event, derived);
  }

  /** The persons that `apply` needs, and those of which it needs all distinct IDs. */
  function personsNeededBy(
    rows: readonly EventRow[],
  ): { ids: Set<number>; withDistinctIds: Set<number> } | null {
    let needed: { ids: Set<number>; withDistinctIds: Set<number> } | null = null;
    for (const row of rows) {
      if (mayChangePerson(row)) readDerived(row);
      const { projectId, distinctId, identity } = row;
      if (identity === null) continue;
      const { merge } = identity;
      if ((identity.set ?? identity.setOnce ?? identity.unset ?? merge) === null) continue;
      for (const id of merge === null ? [distinctId] : [distinctId, merge.otherId]) {
        const owner = owners.find(projectId, id);
        if (owner === null || !owner.hasPerson) continue;
        needed ??= { ids: new Set(), withDistinctIds: new Set() };
        needed.ids.add(owner.personId);
        if (merge !== null) needed.withDistinctIds.add(owner.personId);
      }
    }
    return needed;
  }

  async function loadPersons(ids: ReadonlySet<number>, withDistinctIds: ReadonlySet<number>): Promise<void> {
    const known: PersonState[] = [];
    const missing: number[] = [];
    for (const id of ids) {
      const cached = cache.get(id);
      const person = cached === undefined ? ownCopyOf(newPersons.find(id)) : stateOf(cached);
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
    unit.load(known);
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

  /** New persons are written later in batches, because their rows would dominate the cost of a small commit. */
  async function write(): Promise<void> {
    const isWaiting = unit.hasNewPersonsOnly && newPersons.hasRoom;
    const changes = unit.changes();
    waiting = isWaiting ? changes : null;
    if (isWaiting) return;
    mergedIn = changes.merges.map(({ projectId }) => projectId);
    if (!newPersons.isEmpty) await append(newPersons.changes());
    await append(changes);
  }

  /** Writes pending new persons between two commits; null when there are none or the statement reads no persons. */
  function flush(sql?: string): Promise<void> | null {
    if (newPersons.isEmpty || (sql !== undefined && !READS_PERSONS.test(sql))) return null;
    return context.betweenCommits(writeNewPersons);
  }

  /** Between two commits. */
  async function writeNewPersons(): Promise<void> {
    if (newPersons.isEmpty) return;
    const changes = newPersons.changes();
    try {
      await inTransaction(connection, () => append(changes));
      cacheWritten();
    } finally {
      // Unwritten persons must not get into the cache of the next commit.
      written.clear();
    }
    newPersons.clear();
    maintenance.committed(changes.distinctIds.length);
  }

  /**
   * Between two commits: collects all distinct IDs of the project with their persons, to drop them after the wipe.
   */
  async function beforeWipe(projectId: number): Promise<() => void> {
    await writeNewPersons();
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

  async function append({ persons, deletedPersons, ...rest }: PersonChangeSet): Promise<void> {
    await tables.append({
      ...rest,
      persons: persons.map((person) => storedOf(person)),
      deletedPersons: deletedPersons.map((person) => ({ ...person, ...NOTHING })),
    });
  }

  /** New persons of the current commit that will be written later. */
  let waiting: PersonChangeSet | null = null;
  /** Projects in which the current commit merges persons. */
  let mergedIn: number[] = [];
  /** Persons written by the current commit. */
  const written = new Map<number, CachedPerson>();

  function storedOf(person: PersonState): StoredPerson {
    const properties = jsonText(person.properties);
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
    if (waiting !== null) newPersons.add(waiting);
    else if (unit.hasChanges) newPersons.clear();
    waiting = null;
    for (const projectId of mergedIn) context.personsMerged(projectId);
    mergedIn = [];
    const committedPersons = unit.commit();
    const { changed, removed } = committedPersons;
    cacheWritten();
    for (const person of changed) writtenNames.note(person);
    for (const { id } of removed) {
      cache.delete(id);
      writtenNames.forget(id);
    }
    maintenance.committed(changed.length + removed.length);
    hooks.onCommitted(committedPersons);
    for (const { row, refusal } of refusals) hooks.onRefusal(row, refusal);
    refusals = [];
  }

  function rolledBack(): void {
    waiting = null;
    mergedIn = [];
    refusals = [];
    written.clear();
    unit.rollback();
  }

  /** Changes persons of a project by an order; `more` runs further statements in it. */
  function order<T>(
    projectId: number,
    personIds: readonly number[],
    change: (persons: readonly PersonState[]) => T,
    more: (result: T) => Promise<void> = async () => {},
  ): Promise<T> {
    const ids = new Set(personIds);
    return context.order({
      projectId,
      read: () => loadPersons(ids, ids),
      async work() {
        const persons = [...ids].map((id) => unit.find(id));
        const result = change(persons.filter((person) => person?.projectId === projectId) as PersonState[]);
        if (unit.hasChanges) await write();
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
      const change = { set: set === null ? null : (parseExactly(set) as Properties), setOnce: null, unset };
      return updatePerson(unit, person.id, change, '', clock() * 1_000) ? 'set' : 'too_large';
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
        for (const person of persons) unit.remove(person);
        const texts = persons.flatMap(textsOf);
        for (const distinctId of deleteEvents ? distinctIds : []) {
          const placeholder = unit.removePlaceholder(projectId, distinctId);
          if (placeholder === null) continue;
          eventIds.push(placeholder);
          texts.push(distinctId);
        }
        const ids = [
          ...persons.flatMap((person) => person.distinctIds!.map((one) => one.distinctId)),
          ...distinctIds,
        ];
        return { count: persons.length, eventIds, texts, ids };
      },
      async ({ eventIds, texts, ids }) => {
        if (eventIds.length === 0) return;
        if (deleteEvents) await noteDeletion(connection, projectId, ids);
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
        const created = unit.splitOff(unit.edit(person.id), others, newUuid);
        return others.map((distinctId, index) => ({ distinctId, personId: created[index]!.id }));
      },
      async (moves) => {
        if (moves !== null && moves.length > 0) await tables.moveEvents(projectId, moves);
      },
    ).then((moves) => moves !== null);
  }

  return {
    lookup: createPersonLookup({ owners, links, cache, newPersons }),
    lastPersonId: tables.lastPersonId,
    prepare(rows) {
      const needed = personsNeededBy(rows);
      return needed === null ? null : loadPersons(needed.ids, needed.withDistinctIds);
    },
    apply(rows) {
      for (const row of rows) applyEvent(row, applyContext);
    },
    write: () => (unit.hasChanges ? write() : null),
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
      // Settling saves the last assigned ID before the rows that contain it are deleted.
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

/** Writes new persons of which only the events were stored when the previous process ended. */
async function writeUnwrittenPersons(
  { connection }: ParticipantContext,
  tables: PersonTables,
): Promise<void> {
  const forgotten = await tables.readUnwrittenPersons();
  if (forgotten.length === 0) return;
  const newPersons: PersonChanges = {
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
    distinctIds: forgotten.map((row) => ({ ...row, position: 0 })),
    deletedDistinctIds: [],
    merges: [],
    history: [],
  };
  await inTransaction(connection, () => tables.append(newPersons));
}

const NOTHING = { properties: '{}', sources: '{}' } as const;

/** Texts that identify a person in other tables. */
function textsOf({ distinctIds, properties }: PersonState): string[] {
  const values = Object.values(properties).filter((value) => typeof value === 'string');
  return [
    ...distinctIds!.map(({ distinctId }) => distinctId),
    ...values.filter((text) => text.length >= MIN_TEXT_LENGTH),
  ];
}

function ownCopyOf(person: PersonState | undefined): PersonState | undefined {
  if (person === undefined) return undefined;
  return { ...person, properties: copyOf(person.properties), sources: copyOf(person.sources) };
}

/** A copy of the person for one commit. */
function stateOf({ stored, distinctIds }: CachedPerson): PersonState {
  return {
    ...stored,
    properties: copyOf(parseExactly(stored.properties) as Properties),
    size: stored.properties.length,
    sources: sourcesOf(stored.sources),
    distinctIds,
  };
}

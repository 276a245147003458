import type { OwnerContext } from '../../db/owner.ts';
import {
  createChangeCounts,
  createChangeCounter,
  incrementCounter,
  readCounter,
  type ChangeCounter,
} from './change-counter.ts';
import type {
  CommitParticipant,
  OpenParticipant,
  ParticipantContext,
  StoreParticipant,
  Order,
} from './commit-participant.ts';
import type { EventRow } from './event-row.ts';
import { createEventWriter, type Appended, type AppendedSource, type RowSource } from './event-writer.ts';
import { openHotColumns, type HotColumn, type HotProperty } from './fast/hot-columns.ts';
import { openKnownUuids } from './known-uuids.ts';
import { startMaintenance } from './maintenance.ts';
import { createMergePresenceCache } from './merge-presence-cache.ts';
import { createStreamHold } from './stream-hold.ts';
import { createTableWriteLock } from './table-write-lock.ts';
import { openUpkeep, type FileState } from './upkeep.ts';
import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/** Number of recent commits in the summary. */
const KEPT = 512;

interface CommitTimes {
  /** Commits since the start. */
  count: number;
  /** Milliseconds over the last 512 commits; 0 before the first. */
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
  /** Events in one commit, over the same commits. */
  eventsMin: number;
  eventsMax: number;
}

/** Records the duration and the size of recent commits. */
function createCommitTimes(): { add(rows: number, ms: number): void; summary(): CommitTimes } {
  const times = new Float64Array(KEPT);
  const sizes = new Uint32Array(KEPT);
  let count = 0;
  return {
    add(rows, ms) {
      times[count % KEPT] = ms;
      sizes[count % KEPT] = rows;
      count++;
    },
    summary() {
      const kept = Math.min(count, KEPT);
      if (kept === 0) return { count: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, eventsMin: 0, eventsMax: 0 };
      const sorted = times.slice(0, kept).sort();
      const at = (share: number): number => sorted[Math.min(kept - 1, Math.floor(kept * share))]!;
      const held = sizes.subarray(0, kept);
      return {
        count,
        p50Ms: at(0.5),
        p95Ms: at(0.95),
        maxMs: sorted[kept - 1]!,
        eventsMin: Math.min(...held),
        eventsMax: Math.max(...held),
      };
    },
  };
}

/** Runs the steps of an order on the connection. If any step throws, calls `rolledBack` and rethrows. */
async function runOrder<T>(connection: DuckDBConnection, order: Order<T>): Promise<T> {
  let result: T;
  try {
    await order.read?.();
    result = await inTransaction(connection, () => order.work());
  } catch (error) {
    order.rolledBack();
    throw error;
  }
  order.committed?.();
  return result;
}

/** Where events live: append in the thread of the database; questions go through `Analytics` over `all_events`. */
export interface EventStore {
  /** Stores the rows in one transaction and calls `done` after it was committed and synced, or refused. */
  append(rows: readonly EventRow[], done: (result: Appended) => void): void;
  /** The same for a request of many rows, of which only a piece is in memory at a time. */
  appendSource(source: RowSource, done: (result: AppendedSource) => void): void;
  readonly waitingRows: number;
  /**
   * Handles a request or order of the server; throws for an unknown kind. To `store.changes` a number that grows
   * whenever events, persons or what belongs to them have changed in a project, to `store.state` a StoreState,
   * to `store.counter` the counter of changes; `store.asked` reports the properties that a query reads.
   */
  call(kind: string, message: unknown): Promise<unknown>;
  /**
   * Writes what waits to be written, so that a statement (left out: any) sees all that was acknowledged; null when nothing
   * waits that it reads.
   */
  flush(sql?: string): Promise<void> | null;
  stats(): Promise<StoreStats>;
  /** Moves every recent row into `events` now. */
  compactAll(): Promise<void>;
  close(): Promise<void>;
}

/** What a question must know of the store. */
export interface StoreState {
  /** As `store.changes`. */
  readonly changes: number;
  /** Grows whenever properties or group types of the project may have become others than they were. */
  readonly typeChanges: number;
  /** Whether `events_recent` may hold repetitions that are not settled. */
  readonly mayHaveSuspects: boolean;
  /** Whether `person_overrides` may hold merges of the project's persons that its events do not contain. */
  readonly mayHaveMerges: boolean;
  /** All person IDs are below it; it grows in steps of an eighth at most. Null when unknown. */
  readonly personLimit: number | null;
  /** Properties that have a column of `events` beside those of PROMOTED_PROPERTIES. */
  readonly hotColumns: readonly HotColumn[];
  /**
   * The state of all projects is current while the counter equals `markedAt`; it is read without a message to the
   * store's thread.
   */
  readonly changeCounter: ChangeCounter;
  readonly markedAt: bigint;
}

export interface StoreStats extends FileState {
  commit: CommitTimes;
  /** Events stored. */
  events: number;
}

/**
 * A number above all person IDs that stays above them for long, because results that use it are invalid when it
 * changes. At most an eighth above the highest ID, as each set of persons has so many bits.
 */
function limitOf(participants: readonly StoreParticipant[]): number | null {
  const last = participants.flatMap((participant) => participant.lastPersonId?.() ?? []);
  if (last.length === 0) return null;
  const least = Math.max(...last, LEAST_PERSON_LIMIT - 1) + 1;
  const step = 2 ** Math.floor(Math.log2(least)) / 8;
  return Math.ceil(least / step) * step;
}

const LEAST_PERSON_LIMIT = 65_536;

/** Opens the event tables: rebuilds what must be known before the first append, and starts maintenance. */
export async function openEventStore(
  context: OwnerContext,
  openParticipants: readonly OpenParticipant[] = [],
): Promise<EventStore> {
  const reading = await context.connect();
  const known = await openKnownUuids(reading, context.log);
  const counts = await reading.runAndReadAll(
    `SELECT (SELECT count(*) FROM events)::INTEGER, (SELECT count(*) FROM events_recent)::INTEGER,
       greatest((SELECT last_seq FROM events_state), (SELECT coalesce(max(seq), 0) FROM events_recent))::DOUBLE,
       (SELECT coalesce(max(seq) FILTER (suspect), 0) FROM events_recent)::DOUBLE`,
  );
  let events = Number(counts.value(0, 0)) + Number(counts.value(1, 0));
  /** Commits, orders and deletions so far. */
  const changeCounter = createChangeCounter();
  const changes = createChangeCounts(changeCounter);
  const typeChanges = createChangeCounts(changeCounter);
  const mergeChanges = createChangeCounts(changeCounter);
  const merges = createMergePresenceCache(await context.connect());
  /** The highest `seq` of a suspect, and 0 once it is settled. */
  let lastSuspect = Number(counts.value(3, 0));
  const calls: StoreParticipant['calls'] = {
    'store.counter': async () => changeCounter,
    'store.changes': async ({ projectId }: { projectId: number }) => changes.of(projectId),
    'store.state': async ({ projectId }: { projectId: number }): Promise<StoreState> => {
      // Before all else: what changes meanwhile is seen by the next question.
      const markedAt = readCounter(changeCounter);
      const version = changes.of(projectId);
      const types = typeChanges.of(projectId);
      const merged = mergeChanges.of(projectId);
      const mayHaveMerges = await merges.mayHaveMerges(projectId, { version, merges: merged });
      return {
        changes: version,
        typeChanges: types,
        mayHaveSuspects: lastSuspect > 0,
        mayHaveMerges,
        personLimit: limitOf(participants),
        hotColumns: hot.filled(),
        changeCounter: changeCounter,
        markedAt,
      };
    },
    'store.asked': async ({ properties }: { properties: readonly HotProperty[] }) =>
      hot.recordUse(properties),
  };

  /** Recounts stored events after a deletion, between commits. */
  async function recount(): Promise<void> {
    await writer.betweenCommits(async () => {
      const counted = await reading.runAndReadAll(
        'SELECT ((SELECT count(*) FROM events) + (SELECT count(*) FROM events_recent))::DOUBLE',
      );
      events = counted.value(0, 0) as number;
    });
  }

  async function readFiles(): Promise<FileState> {
    return { ...(await maintenance.sizes()), lastCheckpoint: maintenance.lastCheckpoint };
  }

  const commits = createCommitTimes();
  const connection = await context.connect();
  const participants: StoreParticipant[] = [];
  const writeLock = createTableWriteLock();
  const hold = createStreamHold();
  const hot = await openHotColumns({
    ...context,
    connection: await context.connect(),
    writeLock,
    onFilled: () => incrementCounter(changeCounter),
  });
  /** An order or a deletion may have changed any data of the project. */
  function anythingChanged(projectId: number | null): void {
    changes.changed(projectId);
    typeChanges.changed(projectId);
    mergeChanges.changed(projectId);
  }
  const shared: ParticipantContext = {
    ...context,
    connection,
    writeLock,
    hold,
    flush: () => flush(),
    typesChanged: (projectId) => typeChanges.changed(projectId),
    personsMerged: (projectId) => mergeChanges.changed(projectId),
    betweenCommits: (work) => writer.betweenCommits(work),
    order: (order) =>
      writeLock.run(() =>
        writer.betweenCommits(async () => {
          const result = await runOrder(connection, order);
          anythingChanged(order.projectId ?? null);
          return result;
        }),
      ),
  };
  for (const open of openParticipants) participants.push(await open(shared));
  const { disk } = context;
  const writer = await createEventWriter({
    connection,
    known,
    disk,
    participants: participants.filter(writesInCommits),
    lastSeq: Number(counts.value(2, 0)),
    marker: context.marker,
    damage: context.damage,
    log: context.log,
    onCommit(rows, count, ms, suspect) {
      lastSuspect = suspect ?? lastSuspect;
      events += count;
      changes.rowsChanged(rows);
      commits.add(count, ms);
      maintenance.committed(count);
    },
  });
  const upkeep = await openUpkeep({
    context,
    writer,
    writeLock,
    hold,
    participants,
    onDeleted(rows, projectId) {
      events -= rows;
      anythingChanged(projectId);
    },
    onWiped(rows, projectId) {
      events -= rows;
      known.forgetProject(projectId);
      anythingChanged(projectId);
    },
    recount,
    readFiles,
    flush: () => flush(),
    tidy: () => maintenance.tidy(),
  });
  const maintenance = startMaintenance({
    connection: await context.connect(),
    writer,
    participants,
    writeLock,
    hold,
    tasks: [...upkeep.tasks, hot],
    path: context.path,
    disk,
    marker: context.marker,
    damage: context.damage,
    resources: context.resources,
    recentRows: Number(counts.value(1, 0)),
    hot,
    onCompacted(moved) {
      events -= moved?.duplicates ?? 0;
      if (moved !== null && moved.through >= lastSuspect) {
        lastSuspect = 0;
        incrementCounter(changeCounter);
      }
    },
    clock: context.clock,
    log: context.log,
  });

  function flush(sql?: string): Promise<void> | null {
    let waiting: Promise<void> | null = null;
    for (const participant of participants) {
      const own = participant.flush?.(sql) ?? null;
      if (own !== null) waiting = waiting === null ? own : Promise.all([waiting, own]).then(() => undefined);
    }
    return waiting;
  }

  return {
    get waitingRows() {
      return writer.waitingRows;
    },
    append(rows, done) {
      known.readOlder();
      writer.append(rows, done);
    },
    appendSource(source, done) {
      known.readOlder();
      writer.appendSource(source, done);
    },
    async call(kind, message) {
      const answer = [{ calls }, upkeep, ...participants]
        .map(({ calls }) => calls?.[kind])
        .find((call) => call !== undefined);
      if (answer === undefined) throw new Error(`Unknown call ${kind}`);
      return await answer(message as never);
    },
    flush,
    async stats() {
      return {
        commit: commits.summary(),
        events,
        ...(await readFiles()),
      };
    },
    compactAll: () => maintenance.compactAll(),
    async close() {
      await upkeep.stop();
      for (const participant of participants) participant.closing?.();
      await flush();
      await writer.close();
      await maintenance.stop();
      for (const participant of participants) await participant.close?.();
      await maintenance.close();
      upkeep.close();
      merges.close();
      reading.closeSync();
    },
  };
}

function writesInCommits(
  participant: StoreParticipant | CommitParticipant,
): participant is CommitParticipant {
  return 'prepare' in participant;
}

import type { OwnerContext } from '../../db/owner.ts';
import { carryOut } from './carry-out.ts';
import type { CommitParticipant, OpenParticipant, ParticipantContext } from './commit-participant.ts';
import { createCommitTimes, type CommitTimes } from './commit-times.ts';
import type { EventRow } from './event-row.ts';
import { createEventWriter, type Appended } from './event-writer.ts';
import { openKnownUuids } from './known-uuids.ts';
import { startMaintenance } from './maintenance.ts';
import { createRowTurns } from './row-turns.ts';
import { openUpkeep, type FileState } from './upkeep.ts';

/** Where events live: append in the thread of the database; questions go through `Analytics` over `all_events`. */
export interface EventStore {
  /** Stores the rows in one transaction and calls `done` after it was committed and synced, or refused. */
  append(rows: readonly EventRow[], done: (result: Appended) => void): void;
  readonly waitingRows: number;
  /** Answers a question or carries out an order of the server; throws for a kind that no participant knows. */
  call(kind: string, message: unknown): Promise<unknown>;
  /** Writes what waits to be written, so that questions see all that was acknowledged; null when nothing waits. */
  flush(): Promise<void> | null;
  stats(): Promise<StoreStats>;
  /** Moves every recent row into `events` now. */
  compactAll(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreStats extends FileState {
  commit: CommitTimes;
  /** Events stored. */
  events: number;
}

/** Opens the event tables: rebuilds what must be known before the first append, and starts maintenance. */
export async function openEventStore(
  context: OwnerContext,
  openParticipants: readonly OpenParticipant[] = [],
): Promise<EventStore> {
  const reading = await context.connect();
  const known = await openKnownUuids(reading, context.log);
  const counts = await reading.runAndReadAll(
    `SELECT (SELECT count(*) FROM events)::INTEGER, (SELECT count(*) FROM events_recent)::INTEGER,
       greatest((SELECT last_seq FROM events_state), (SELECT coalesce(max(seq), 0) FROM events_recent))::DOUBLE`,
  );
  let events = Number(counts.value(0, 0)) + Number(counts.value(1, 0));

  /** After others have deleted events: counts anew, while no commit adds to them. */
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
  const participants: CommitParticipant[] = [];
  const turns = createRowTurns();
  const shared: ParticipantContext = {
    ...context,
    connection,
    turns,
    betweenCommits: (work) => writer.betweenCommits(work),
    order: (order) => turns.take(() => writer.betweenCommits(() => carryOut(connection, order))),
  };
  for (const open of openParticipants) participants.push(await open(shared));
  const writer = await createEventWriter({
    connection,
    known,
    participants,
    lastSeq: Number(counts.value(2, 0)),
    log: context.log,
    onCommit(rows, ms) {
      events += rows;
      commits.add(rows, ms);
      maintenance.committed(rows);
    },
  });
  const upkeep = await openUpkeep({
    context,
    writer,
    turns,
    participants,
    onDeleted: (rows) => (events -= rows),
    recount,
    readFiles,
  });
  const maintenance = startMaintenance({
    connection: await context.connect(),
    writer,
    participants,
    turns,
    tasks: upkeep.tasks,
    path: context.path,
    resources: context.resources,
    recentRows: Number(counts.value(1, 0)),
    onDuplicates: (rows) => (events -= rows),
    clock: context.clock,
    log: context.log,
  });

  function flush(): Promise<void> | null {
    let waiting: Promise<void> | null = null;
    for (const participant of participants) {
      const own = participant.flush?.() ?? null;
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
    async call(kind, message) {
      const answer = [upkeep, ...participants]
        .map(({ calls }) => calls?.[kind])
        .find((call) => call !== undefined);
      if (answer === undefined) throw new Error(`Nobody answers ${kind}`);
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
      await flush();
      await writer.close();
      await maintenance.stop();
      for (const participant of participants) await participant.close?.();
      await maintenance.close();
      upkeep.close();
      reading.closeSync();
    },
  };
}

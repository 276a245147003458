import type { DuckDBConnection } from '@duckdb/node-api';
import { endThread, isFatal } from '../../db/fatal.ts';
import type { LogMarker } from '../../db/log-mark.ts';
import type { DamageWatch } from '../../db/store-damage.ts';
import type { Log } from '../../lib/log.ts';
import { createCommitBatching } from './commit-batching.ts';
import type { CommitParticipant } from './commit-participant.ts';
import type { DiskWatch } from '../../db/disk-watch.ts';
import { createEventAppender, type EventAppender } from './event-appender.ts';
import type { EventRow } from './event-row.ts';
import type { KnownUuids } from './known-uuids.ts';

/** The outcome for the rows of one request. */
export type Appended =
  | {
      outcome: 'committed';
      stored: readonly EventRow[];
      duplicates: number;
      notStorable: readonly EventRow[];
    }
  | { outcome: 'unavailable' };

/** The rows of one large request. The writer pulls them in pieces, so that only one piece is in memory. */
export interface RowSource {
  /** Upper bound of rows over all pieces. */
  readonly count: number;
  /** Restarts at the first piece: after a failed commit the request is retried. */
  begin(): void;
  /** The next piece, or null after the last one. */
  next(): readonly EventRow[] | null;
  /** Called with the rows of the last piece that are new. */
  added(fresh: readonly EventRow[]): void;
}

/** The outcome for a RowSource; its new rows were passed to `added`. */
export type AppendedSource =
  { outcome: 'committed'; duplicates: number; notStorable: readonly EventRow[] } | { outcome: 'unavailable' };

export interface EventWriter {
  /** Stores the rows in one transaction and calls `done` after it was committed and synced, or refused. */
  append(rows: readonly EventRow[], done: (result: Appended) => void): void;
  /** As `append` for a large request; its pieces are appended in one transaction of its own. */
  appendSource(source: RowSource, done: (result: AppendedSource) => void): void;
  /** Runs `work` between two commits, while none is open (CHECKPOINT blocks commits anyway). */
  betweenCommits<T>(work: () => Promise<T>): Promise<T>;
  readonly waitingRows: number;
  /** Commits waiting requests, then closes. */
  close(): Promise<void>;
}

/** Maximum rows of a commit with several requests; a single larger request is still one commit. */
const COMMIT_ROWS = 10_000;

const NOTHING: readonly EventRow[] = [];

interface Waiting {
  rows: readonly EventRow[];
  done: (result: Appended) => void;
}

interface WaitingSource {
  source: RowSource;
  done: (result: AppendedSource) => void;
}

/** A request in the current commit, with its rows that are not duplicates. */
interface ClassifiedRequest {
  readonly done: Waiting['done'];
  readonly fresh: readonly EventRow[];
  readonly duplicates: number;
}

/** The requests of a commit and all their new rows. */
interface Group {
  readonly requests: ClassifiedRequest[];
  readonly fresh: EventRow[];
  /** Of each new row, whether its UUID may be stored already. */
  readonly suspects: boolean[];
  /** UUIDs that were remembered for it. */
  remembered: number;
}

export interface WriterOptions {
  connection: DuckDBConnection;
  known: KnownUuids;
  /** Features that write in the commit of the events, in order. */
  participants: readonly CommitParticipant[];
  disk: Pick<DiskWatch, 'checkCommitted' | 'checkPlace' | 'failed' | 'isRefusing'>;
  /** The last `seq` assigned. */
  lastSeq: number;
  /** Notes how long the log is after each commit. */
  marker: Pick<LogMarker, 'around'>;
  damage: DamageWatch;
  log: Log;
  /**
   * Called after each commit with at least one row of each project in it, the number of stored events, the duration
   * in milliseconds, and the `seq` of the last suspect or null.
   */
  onCommit: (rows: readonly EventRow[], count: number, ms: number, lastSuspect: number | null) => void;
}

/**
 * The group commit: everything that waits is appended in one transaction, and every request of it is answered after
 * the COMMIT has returned, which is after DuckDB has synced its write-ahead log.
 */
export async function createEventWriter(options: WriterOptions): Promise<EventWriter> {
  const { connection, known, participants, disk, log } = options;
  const begin = await connection.prepare('BEGIN TRANSACTION');
  const commit = await connection.prepare('COMMIT');
  let appender: EventAppender | null = null;
  let queue: Waiting[] = [];
  const sources: WaitingSource[] = [];
  let waitingRows = 0;
  const batching = createCommitBatching();
  let lastSeq = options.lastSeq;
  let working: Promise<void> | null = null;
  const between: (() => Promise<void>)[] = [];

  function take(): Waiting[] {
    let rows = 0;
    let count = 0;
    while (count < queue.length && (count === 0 || rows + queue[count]!.rows.length <= COMMIT_ROWS)) {
      rows += queue[count]!.rows.length;
      count++;
    }
    const taken = count === queue.length ? queue : queue.slice(0, count);
    queue = count === queue.length ? [] : queue.slice(count);
    return taken;
  }

  function classify(taken: readonly Waiting[]): Group {
    const group: Group = { requests: [], fresh: [], suspects: [], remembered: 0 };
    const before = known.remembered;
    for (const { rows, done } of taken) {
      const from = group.fresh.length;
      for (const row of rows) {
        const recognized = known.classify(row);
        if (recognized === 'duplicate') continue;
        group.fresh.push(row);
        group.suspects.push(recognized === 'suspect');
      }
      const duplicates = rows.length - (group.fresh.length - from);
      group.requests.push({ done, fresh: duplicates === 0 ? rows : group.fresh.slice(from), duplicates });
    }
    group.remembered = known.remembered - before;
    return group;
  }

  /** Forgets the UUIDs of a group whose commit failed. */
  function forgetUuids({ remembered }: Group): void {
    known.forgetLast(remembered);
  }

  /** Commits the new rows of the requests in one transaction; throws, with nothing stored, when that fails. */
  async function store({ fresh, suspects }: Group): Promise<void> {
    if (fresh.length === 0) return;
    const started = performance.now();
    appender ??= await createEventAppender(connection);
    try {
      for (const participant of participants) await participant.prepare(fresh);
      await begin.run();
      for (const participant of participants) participant.apply(fresh);
      appender.append(fresh, suspects, lastSeq + 1);
      for (const participant of participants) await participant.write();
      // What is committed and not acknowledged is sent again, and stored twice when it has no uuid.
      disk.checkPlace();
      await options.marker.around(() => commit.run());
      disk.checkCommitted();
    } catch (error) {
      disk.failed(error);
      options.damage.seen(error);
      for (const participant of participants) participant.rolledBack();
      await abandon();
      throw error;
    }
    for (const participant of participants) participant.committed();
    const lastSuspect = suspects.lastIndexOf(true);
    const seq = lastSuspect < 0 ? null : lastSeq + 1 + lastSuspect;
    lastSeq += fresh.length;
    options.onCommit(fresh, fresh.length, performance.now() - started, seq);
  }

  /** Rolls back and discards the appender, which cannot be used after a failure. */
  async function abandon(): Promise<void> {
    await connection.run('ROLLBACK').catch(() => undefined);
    appender?.close();
    appender = null;
  }

  async function commitGroup(): Promise<void> {
    const taken = take();
    const group = classify(disk.isRefusing ? [] : taken);
    try {
      if (disk.isRefusing) throw new Error('IO Error: the disk takes nothing now');
      await store(group);
      for (const request of group.requests) finish(request, NOTHING);
    } catch (error) {
      forgetUuids(group);
      if (disk.isRefusing) {
        for (const { done } of taken) done({ outcome: 'unavailable' });
        return;
      }
      log.warn(
        { error: String(error), requests: taken.length },
        'A commit failed; its requests are tried one by one',
      );
      for (const request of taken) await storeAlone(request);
    } finally {
      for (const request of taken) waitingRows -= request.rows.length;
      batching.waiting(queue.length, waitingRows);
      batching.expect(taken.length + queue.length);
    }
  }

  async function storeAlone(request: Waiting): Promise<void> {
    const classified = classify([request]);
    try {
      await store(classified);
      finish(classified.requests[0]!, NOTHING);
    } catch (error) {
      forgetUuids(classified);
      const refused = isTrouble(error) ? null : await findRefused(request.rows);
      if (refused === null || refused.length === 0) {
        log.error({ error: String(error) }, 'Events could not be stored; their sender is asked to try again');
        request.done({ outcome: 'unavailable' });
        if (isFatal(error)) endThread(error);
        return;
      }
      const rest = classify([{ ...request, rows: request.rows.filter((row) => !refused.includes(row)) }]);
      try {
        await store(rest);
        finish(rest.requests[0]!, refused);
      } catch {
        forgetUuids(rest);
        request.done({ outcome: 'unavailable' });
      }
    }
  }

  /** Finds the rows that cannot be stored by bisection: each half is appended and rolled back. */
  async function findRefused(rows: readonly EventRow[]): Promise<EventRow[]> {
    if (await canAppend(rows)) return [];
    if (rows.length === 1) return [...rows];
    const middle = rows.length >> 1;
    return [...(await findRefused(rows.slice(0, middle))), ...(await findRefused(rows.slice(middle)))];
  }

  async function canAppend(rows: readonly EventRow[]): Promise<boolean> {
    appender ??= await createEventAppender(connection);
    await begin.run();
    try {
      appender.append(rows, Array<boolean>(rows.length).fill(false), lastSeq + 1);
      return true;
    } catch {
      return false;
    } finally {
      await abandon();
    }
  }

  /**
   * Appends the pieces of a source in one transaction and commits it. Other statements of this thread run between two
   * pieces; other commits wait. Throws, with nothing stored, on failure.
   */
  async function storeSource(source: RowSource): Promise<{ duplicates: number }> {
    const started = performance.now();
    let duplicates = 0;
    let seq = lastSeq;
    let lastSuspect: number | null = null;
    const before = known.remembered;
    let stored = 0;
    const projects = new Map<number, EventRow>();
    appender ??= await createEventAppender(connection);
    await begin.run();
    try {
      source.begin();
      for (let rows = source.next(); rows !== null; rows = source.next()) {
        const { requests, fresh, suspects } = classify([{ rows, done: () => undefined }]);
        duplicates += requests[0]!.duplicates;
        if (fresh.length > 0) {
          for (const participant of participants) await participant.prepare(fresh);
          for (const participant of participants) participant.apply(fresh);
          appender.append(fresh, suspects, seq + 1);
          const suspect = suspects.lastIndexOf(true);
          if (suspect >= 0) lastSuspect = seq + 1 + suspect;
          seq += fresh.length;
          stored += fresh.length;
          for (const row of fresh) if (!projects.has(row.projectId)) projects.set(row.projectId, row);
        }
        source.added(fresh);
        await new Promise(setImmediate);
      }
      for (const participant of participants) await participant.write();
      // What is committed and not acknowledged is sent again, and stored twice when it has no uuid.
      disk.checkPlace();
      await options.marker.around(() => commit.run());
      disk.checkCommitted();
    } catch (error) {
      disk.failed(error);
      options.damage.seen(error);
      known.forgetLast(known.remembered - before);
      for (const participant of participants) participant.rolledBack();
      await abandon();
      throw error;
    }
    for (const participant of participants) participant.committed();
    lastSeq = seq;
    options.onCommit([...projects.values()], stored, performance.now() - started, lastSuspect);
    return { duplicates };
  }

  async function commitSource({ source, done }: WaitingSource): Promise<void> {
    try {
      if (disk.isRefusing) throw new Error('IO Error: the disk takes nothing now');
      done({ outcome: 'committed', ...(await storeSource(source)), notStorable: NOTHING });
    } catch (error) {
      if (disk.isRefusing) return done({ outcome: 'unavailable' });
      if (isTrouble(error)) {
        log.error({ error: String(error) }, 'Events could not be stored; their sender is asked to try again');
        done({ outcome: 'unavailable' });
        if (isFatal(error)) endThread(error);
        return;
      }
      // One of the rows is invalid. Finding it needs all rows in memory.
      source.begin();
      const rows: EventRow[] = [];
      for (let piece = source.next(); piece !== null; piece = source.next())
        for (const row of piece) rows.push(row);
      await storeAlone({
        rows,
        done(result) {
          if (result.outcome === 'committed') source.added(result.stored);
          done(result);
        },
      });
    }
  }

  function finish(request: ClassifiedRequest, notStorable: readonly EventRow[]): void {
    request.done({
      outcome: 'committed',
      stored: request.fresh,
      duplicates: request.duplicates,
      notStorable,
    });
  }

  async function work(): Promise<void> {
    // Requests that arrived in one message are all queued before the first commit looks.
    await Promise.resolve();
    while (queue.length > 0 || sources.length > 0 || between.length > 0) {
      if (queue.length > 0) {
        await batching.wait();
        await commitGroup();
      }
      // Small requests go first; those that arrive in the meantime are committed before the next large one.
      const large = sources.shift();
      if (large !== undefined) {
        await commitSource(large);
        waitingRows -= large.source.count;
        batching.waiting(queue.length, waitingRows);
      }
      for (const job of between.splice(0)) await job();
    }
    working = null;
  }

  function wake(): void {
    working ??= work();
  }

  return {
    get waitingRows() {
      return waitingRows;
    },
    append(rows, done) {
      queue.push({ rows, done });
      waitingRows += rows.length;
      batching.waiting(queue.length, waitingRows);
      wake();
    },
    appendSource(source, done) {
      sources.push({ source, done });
      waitingRows += source.count;
      wake();
    },
    betweenCommits(job) {
      return new Promise((resolve, reject) => {
        between.push(() => job().then(resolve, reject));
        wake();
      });
    },
    async close() {
      while (working !== null) await working;
      appender?.close();
      begin.destroySync();
      commit.destroySync();
      connection.closeSync();
    },
  };

  /** The store itself is in trouble (full disk, failed sync): no row is to blame. */
  function isTrouble(error: unknown): boolean {
    return /IO Error|FATAL|invalidated|No space left|Out of Memory|failed to (allocate|pin)/i.test(
      String(error),
    );
  }
}

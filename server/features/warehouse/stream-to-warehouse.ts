import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceChannel } from '../../db/client.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { WarehouseAwayError } from '../../db/db.ts';
import { textSql } from '../../hogql/print/clickhouse/sql-text.ts';
import type { WarehouseTableName } from '../../warehouse/clickhouse/schema.ts';
import type { Clickhouse } from '../../warehouse/clickhouse/client.ts';
import { readCounter, type ChangeCounter } from '../../warehouse/duckdb/change-counter.ts';
import type {
  StreamCopy,
  StreamDeletion,
  StreamHeads,
  StreamOrder,
  StreamPart,
  StreamState,
  StreamWritten,
} from '../../warehouse/duckdb/warehouse-stream.ts';

/** How the stream to the warehouse is doing. */
export interface StreamStatus {
  /** `away`: it does not answer. `refused`: it belongs to another file, or is ahead of this one. */
  readonly state: 'starting' | 'copying' | 'streaming' | 'away' | 'refused';
  /** What is wrong, in one sentence; null: nothing. */
  readonly problem: string | null;
  /** Events that are not there yet, and since when the oldest of them waits, in Unix milliseconds. */
  readonly waitingEvents: number;
  readonly waitingSince: number | null;
  /** Of what was stored before: rows left to be copied, and all of them. */
  readonly copyRowsLeft: number;
  readonly copyRows: number;
  /** When rows were last sent, in Unix milliseconds. */
  readonly lastSentAt: number | null;
}

export interface WarehouseStream {
  readonly status: StreamStatus;
  /** The warehouse has what was stored before the stream began. */
  readonly isComplete: boolean;
  /** Resolves with null once all that is stored now was sent, or after `ms` milliseconds with the time since when events wait. */
  caughtUp(ms: number): Promise<number | null>;
  stop(): Promise<void>;
}

const EVERY_MS = 500;
const AWAY_MS = 2_000;
/** Distinct IDs in one statement. */
const DELETED_IDS = 1_000;
/** In the folder of the server, while it is sent. */
export const BATCH_FILE = 'warehouse-batch.parquet';

/**
 * Sends what is committed to the warehouse, in order and at least once: a batch is sent again until its position is kept in the
 * file. The tables of the warehouse keep one row of each key, so that what comes twice counts once.
 */
export function streamToWarehouse({
  clickhouse,
  channel,
  folder,
  clock,
  newId,
  log,
}: {
  clickhouse: Clickhouse;
  channel: ServiceChannel;
  /** Where batches are written before they are sent. */
  folder: string;
  clock: Clock;
  newId: NewId;
  log: Log;
}): WarehouseStream {
  const file = join(folder, BATCH_FILE);
  const call = <T>(order: StreamOrder): Promise<T> => channel.call<T>(order);
  const { database } = clickhouse;
  const status = {
    state: 'starting' as StreamStatus['state'],
    problem: null as string | null,
    waitingEvents: 0,
    waitingSince: null as number | null,
    copyRowsLeft: 0,
    copyRows: 0,
    lastSentAt: null as number | null,
  };
  let isStopped = false;
  let lastSave = 0;
  let isPrepared = false;
  let isComplete = false;
  /** Ends the pause between two rounds. */
  let wake = (): void => undefined;
  const waiting = new Set<{ heads: StreamHeads; resolve: () => void }>();
  let sent: StreamState | null = null;

  async function send(
    table: Parameters<Clickhouse['insert']>[0],
    what: StreamCopy | StreamPart,
  ): Promise<StreamWritten> {
    const written = await call<StreamWritten>({ kind: 'stream.write', what, file });
    if (written.rows > 0) {
      await clickhouse.insert(table, file);
      status.lastSentAt = clock();
    }
    return written;
  }

  /** Before they replace what was there: events of a distinct ID that is another person's now follow it. */
  async function sendDistinctIds(after: number, through: number): Promise<void> {
    await clickhouse.empty('incoming_distinct_ids');
    const { rows } = await send('incoming_distinct_ids', { recent: 'person_distinct_ids', after, through });
    if (rows === 0) return;
    await clickhouse.run(`INSERT INTO ${database}.person_overrides
      SELECT n.project_id, n.distinct_id, n.person_id, n.version
      FROM (SELECT * FROM ${database}.incoming_distinct_ids FINAL) AS n
      INNER JOIN (
        SELECT project_id, distinct_id, argMax(person_id, version) AS person_id FROM ${database}.person_distinct_ids
        WHERE (project_id, distinct_id) IN (SELECT project_id, distinct_id FROM ${database}.incoming_distinct_ids)
        GROUP BY project_id, distinct_id
      ) AS o ON o.project_id = n.project_id AND o.distinct_id = n.distinct_id
      WHERE n.is_deleted = 0 AND n.person_id != o.person_id`);
    await clickhouse.run(
      `INSERT INTO ${database}.person_distinct_ids SELECT * FROM ${database}.incoming_distinct_ids`,
    );
  }

  async function carryOut({
    projectId,
    distinctIds,
    eventsSeq,
    personsVersion,
    groupsVersion,
  }: StreamDeletion): Promise<void> {
    const remove = (table: WarehouseTableName, where: string): Promise<void> =>
      clickhouse.deleteRows(table, `project_id = ${projectId} AND ${where}`);
    if (distinctIds !== null) {
      for (let at = 0; at < distinctIds.length; at += DELETED_IDS) {
        const list = distinctIds
          .slice(at, at + DELETED_IDS)
          .map(textSql)
          .join(', ');
        await remove('events', `seq <= ${eventsSeq} AND distinct_id IN (${list})`);
      }
      return;
    }
    await remove('events', `seq <= ${eventsSeq}`);
    for (const table of ['persons', 'person_distinct_ids', 'person_overrides'] as const)
      await remove(table, `version <= ${personsVersion}`);
    await remove('groups', `version <= ${groupsVersion}`);
    await remove('cohort_people', 'version >= 0');
  }

  async function save(state: StreamState): Promise<void> {
    const version = (lastSave = Math.max(clock() * 1_000, lastSave + 1));
    const row = { stream_id: state.streamId, state: JSON.stringify(state), version };
    await clickhouse.insertRows('stream_state', [row]);
    await call({ kind: 'stream.sent', state });
    sent = state;
  }

  /** Sends one batch of each kind, of what there was as `heads` were read. */
  async function sendRecent(before: StreamState, heads: StreamHeads): Promise<void> {
    const state = { ...before };
    const persons = await send('persons', { recent: 'persons', after: state.personsVersion });
    if (persons.through > state.personsVersion) await sendDistinctIds(state.personsVersion, persons.through);
    state.personsVersion = reached(persons, state.personsVersion, heads.personsVersion);
    const groups = await send('groups', { recent: 'groups', after: state.groupsVersion });
    state.groupsVersion = reached(groups, state.groupsVersion, heads.groupsVersion);
    const events = await send('events', { recent: 'events', after: state.eventsSeq });
    state.eventsSeq = reached(events, state.eventsSeq, heads.eventsSeq);
    for (const deletion of await call<StreamDeletion[]>({ kind: 'stream.deletions' })) {
      await carryOut(deletion);
      state.deletion = deletion.number;
    }
    await save(state);
  }

  /** Begins a stream, or goes on with the one that the file and the warehouse both have. */
  async function begin(): Promise<void> {
    await clickhouse.prepare();
    const heads = await call<StreamHeads>({ kind: 'stream.heads' });
    const { state } = heads;
    const there = await clickhouse.analytics.all<{ c0: string; c1: string }>(
      `SELECT stream_id, state FROM ${database}.stream_state`,
    );
    const mine = there.find(({ c0 }) => c0 === state?.streamId);
    if (there.length > 0 && mine === undefined)
      return refuse(
        'The warehouse has the events of another Burrow file. Name another database, or delete this one.',
      );
    if (mine !== undefined) {
      const known = JSON.parse(mine.c1) as StreamState;
      if (known.eventsSeq > heads.eventsSeq)
        return refuse(
          'The warehouse has events that this file does not have: it was restored from a backup. Name another database, or delete this one.',
        );
    }
    if (state === null || mine === undefined || state.lapsed) {
      const streamId = state?.streamId ?? newId();
      await call({ kind: 'stream.begin', streamId });
      const { state: begun } = await call<StreamHeads>({ kind: 'stream.heads' });
      await save(begun!);
    }
    isPrepared = true;
  }

  function refuse(problem: string): void {
    status.state = 'refused';
    status.problem = problem;
    log.error({ database }, problem);
    isStopped = true;
  }

  function note(heads: StreamHeads, { eventsSeq }: StreamState): void {
    status.waitingEvents = Math.max(0, heads.eventsSeq - eventsSeq);
    status.waitingSince = status.waitingEvents === 0 ? null : heads.waitingSince;
  }

  /** One round; returns whether there may be more. */
  async function round(): Promise<boolean> {
    if (!isPrepared) await begin();
    if (isStopped) return false;
    const heads = await call<StreamHeads>({ kind: 'stream.heads' });
    const { state, copies } = heads;
    if (state === null) throw new Error('The stream was not begun');
    status.copyRowsLeft = copies.reduce((sum, { rows }) => sum + rows, 0);
    status.copyRows = Math.max(status.copyRows, status.copyRowsLeft);
    note(heads, state);
    // Persons and groups first: what recent rows replace must be there before.
    const first = copies[0];
    if (first !== undefined) {
      await send(first.kind, first);
      await call({ kind: 'stream.copied', copy: first });
    }
    if ((first === undefined || first.kind === 'events') && !hasAll(state, heads)) {
      await sendRecent(state, heads);
      note(heads, sent!);
    }
    isComplete ||= copies.length === 0;
    status.state = copies.length > 0 ? 'copying' : 'streaming';
    status.problem = null;
    if (first !== undefined) return true;
    const now = sent ?? state;
    for (const one of waiting) if (hasAll(now, one.heads)) one.resolve();
    // What has come meanwhile is sent with what comes in the pause: large batches cost less.
    return waiting.size > 0 || !hasAll(now, heads);
  }

  async function loop(): Promise<void> {
    let counter: ChangeCounter | null = null;
    /** The counter before a round that has left nothing to send. */
    let doneAt: bigint | null = null;
    while (!isStopped) {
      let pause = EVERY_MS;
      try {
        counter ??= await channel.call<ChangeCounter>({ kind: 'store.counter' });
        const now = readCounter(counter);
        if (now !== doneAt || waiting.size > 0) {
          if (await round()) pause = 0;
          else doneAt = now;
        }
      } catch (error) {
        pause = AWAY_MS;
        // What the error says may quote rows: it is for the log.
        const problem =
          error instanceof WarehouseAwayError
            ? 'ClickHouse does not answer.'
            : 'A batch could not be sent to ClickHouse. The server log says why.';
        if (status.problem !== problem) log.warn({ err: error }, 'Events wait for the warehouse');
        status.state = 'away';
        status.problem = problem;
      }
      if (pause > 0 && !isStopped)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pause);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
    }
  }

  const running = loop();

  return {
    get isComplete() {
      return isComplete;
    },
    get status() {
      return { ...status };
    },
    async caughtUp(ms) {
      const heads = await call<StreamHeads>({ kind: 'stream.heads' });
      if (
        heads.copies.length === 0 &&
        heads.state !== null &&
        hasAll(heads.state, heads) &&
        status.state !== 'refused'
      )
        return null;
      return await new Promise((resolve) => {
        const one = { heads, resolve: () => end(null) };
        const timer = setTimeout(() => end(heads.waitingSince ?? clock()), ms);
        function end(since: number | null): void {
          clearTimeout(timer);
          waiting.delete(one);
          resolve(since);
        }
        waiting.add(one);
        if (status.state !== 'away') wake();
      });
    },
    async stop() {
      isStopped = true;
      wake();
      await running;
      await rm(file, { force: true });
    },
  };
}

/** Where a batch ends. An empty one ends where the file does: rows up to there were deleted before they were sent. */
function reached({ through }: StreamWritten, after: number, head: number): number {
  return through > after ? through : Math.max(after, head);
}

/** Whether a state of the stream has all that was stored. */
function hasAll(state: StreamState, heads: StreamHeads): boolean {
  return (
    state.eventsSeq >= heads.eventsSeq &&
    state.personsVersion >= heads.personsVersion &&
    state.groupsVersion >= heads.groupsVersion &&
    state.deletion >= heads.deletion
  );
}

import { existsSync, chmodSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from '../lib/clock.ts';
import type { Log, LogLevel } from '../lib/log.ts';
import type { NoticeBoard } from '../lib/notices.ts';
import type { QueryName } from '../lib/stopped-queries.ts';
import type { Row } from './db.ts';
import { createDiskWatch, type DiskWatch } from './disk-watch.ts';
import { endThread, isFatal } from './fatal.ts';
import { createLane, StuckStatementError, type LaneConnection } from './lane.ts';
import { createLogMarker, type LogMarker } from './log-mark.ts';
import type { Failure, FromOwner, Lane, OpenOptions, Port, ToOwner } from './messages.ts';

import { checkApplied, copyAside, firstMissing, migrate } from './migrate.ts';
import { openDatabase, openFailure, OpenFailure } from './open.ts';
import { watchForDamage, type DamageWatch } from './store-damage.ts';
import { troubleOf } from './store-trouble.ts';
import { BrokenOffError } from './read-chunks.ts';
import { readsOnly } from './db.ts';
import { createResources, type Resources } from './resources.ts';

/** What a service that lives beside the database gets: connections of its own, a way to the server, the log. */
export interface OwnerContext {
  readonly path: string | null;
  readonly resources: Resources;
  /** What `OpenOptions.services` holds for this service. */
  readonly options: unknown;
  connect(): Promise<DuckDBConnection>;
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  readonly log: Log;
  readonly notices: NoticeBoard;
  /** Runs what commits and notes how long the log is after it. */
  readonly marker: Pick<LogMarker, 'around' | 'note'>;
  /** Is shown errors of statements, and marks the store damaged for those that say so. */
  readonly damage: DamageWatch;
  readonly disk: DiskWatch;
  readonly clock: Clock;
}

/** A part of the product that must live in the thread of the database (capture: it appends what it decodes). */
export interface OwnerService {
  /** Handles a request of the server. */
  call?(message: never): Promise<unknown> | unknown;
  /** Handles a message without a response. */
  post?(message: never): void;
  /** Writes pending changes that a statement must see; null when there are none. */
  beforeStatement?(sql: string): Promise<void> | null;
  /** Finishes accepted work; called once, before the database closes. */
  close(): Promise<void>;
}

export type OwnerServices = Readonly<Record<string, (context: OwnerContext) => Promise<OwnerService>>>;

/**
 * At most three analytic statements run concurrently, so that commits and small statements always find a free core
 * soon.
 */
const ANALYTIC_LANES = 3;
/** A page of the console reads several tables concurrently. */
const SMALL_LANES = 3;
/** Rows of a piece of a streamed result: smaller ones are sent together, the last ones with the end. */
const STREAM_PIECE = 2_048;
/** Pieces of a streamed result sent ahead of the reader. */
const STREAM_AHEAD = 2;
const INTERRUPT_AGAIN_MS = 20;
/** What still runs so long after its interrupt is inside one call of DuckDB, and gets no other connection's place. */
const STUCK_MS = 5_000;
/** Characters of texts from which on a statement may need more memory than DuckDB has at rest. */
const LARGE_STATEMENT = 1_000_000;

/** As DuckDB begins it when a statement outgrows its limit, which is what has happened to the process. */
const OUT_OF_MEMORY = 'Out of Memory Error: the process outgrew its limit';
/** A database in memory has no log. */
const NO_MARKER: LogMarker = { around: (commit) => commit(), note: () => undefined, close: () => undefined };

interface Running {
  interrupt: (() => void) | null;
  lane: LaneConnection;
  /** Null for statements that are not analytic. */
  query: QueryName | 'unnamed' | null;
  isStarted: boolean;
  /** Timer that repeats the interrupt. */
  again: NodeJS.Timeout | null;
  stuck: NodeJS.Timeout | null;
  /** It was ended since the process had too little memory. */
  isOutOfMemory: boolean;
  cancelled: boolean;
  credit: number;
  resume: (() => void) | null;
}

interface Opened {
  path: string | null;
  instance: DuckDBInstance;
  marker: LogMarker;
  disk: DiskWatch;
  resources: Resources;
  lanes: Record<Lane, LaneConnection[]>;
  services: Record<string, OwnerService>;
}

/**
 * Serves the one DuckDB instance over a port: statements in lanes, and the services that live beside it. Runs in a
 * worker thread; unit tests run it in their own.
 */
export function serveDatabase(port: Port, options: { services: OwnerServices; clock: Clock }): void {
  const running = new Set<Running>();
  const byId = new Map<number, Running>();
  let opened: Opened | null = null;
  let stuckCount = 0;
  let damage: DamageWatch | null = null;

  const send = (message: FromOwner): void => port.postMessage(message);
  const log: Log = {
    debug: (fields, message) => send({ kind: 'log', level: 'debug', fields, message }),
    info: (fields, message) => send({ kind: 'log', level: 'info', fields, message }),
    warn: (fields, message) => send({ kind: 'log', level: 'warn', fields, message }),
    error: (fields, message) => send({ kind: 'log', level: 'error' satisfies LogLevel, fields, message }),
  };
  const progress = (step: string): void => send({ kind: 'progress', step });
  const notices: NoticeBoard = {
    raise: (notice) => send({ kind: 'notice', notice }),
    clear: (notice) => send({ kind: 'clear-notice', notice }),
  };

  async function open(request: OpenOptions): Promise<void> {
    const isNew = request.path !== null && ['', '.wal'].every((ending) => !existsSync(request.path + ending));
    if (request.path !== null) {
      progress(openingStep(request.path));
      if (isNew) checkRoom(request.path);
      else protectFiles(request.path);
    }
    try {
      await openFile(request);
    } catch (error) {
      // What was begun of a new database would be taken for one at the next start.
      if (isNew) for (const ending of ['', '.wal', '.tmp']) rmSync(request.path + ending, RECURSIVELY);
      throw error instanceof OpenFailure ? error : openFailure((error as Error).message, request.path);
    }
  }

  async function openFile(request: OpenOptions): Promise<void> {
    let instance = await openDatabase(request, log, options.clock, notices.raise);
    let first = await instance.connect();
    await checkApplied(first, request.path);
    const missing = request.path === null ? null : await firstMissing(first);
    if (request.path !== null && missing !== null) {
      progress('Migrating the database (a copy is kept)');
      // With an empty write-ahead log the file alone is the whole database.
      await first.run('CHECKPOINT');
      first.closeSync();
      instance.closeSync();
      await copyAside(request.path, missing);
      instance = await openDatabase(request, log, options.clock, notices.raise);
      first = await instance.connect();
    }
    await migrate(first, { path: request.path, log, now: options.clock });
    const marker = request.path === null ? NO_MARKER : createLogMarker(request.path, options.clock);
    const lanes: Opened['lanes'] = {
      small: [createLane(first, { streams: false })],
      analytic: [],
      transaction: [createLane(await instance.connect(), { streams: false })],
    };
    const resources = await createResources(
      await instance.connect(),
      request.memoryLimitBytes,
      availableParallelism(),
    );
    for (let i = 1; i < SMALL_LANES; i++)
      lanes.small.push(createLane(await instance.connect(), { streams: false }));
    for (let i = 0; i < ANALYTIC_LANES; i++)
      lanes.analytic.push(createLane(await instance.connect(), { streams: true }));
    const watch = watchForDamage(request.path, notices);
    damage = watch;
    const disk = createDiskWatch(request.path, notices);
    const services: Record<string, OwnerService> = {};
    for (const [name, start] of Object.entries(options.services)) {
      services[name] = await start({
        path: request.path,
        resources,
        options: request.services?.[name],
        connect: () => instance.connect(),
        post: (message, transfer) =>
          port.postMessage({ kind: 'post', service: name, message } satisfies FromOwner, transfer ?? []),
        log,
        notices,
        marker,
        damage: watch,
        disk,
        clock: options.clock,
      });
    }
    opened = { path: request.path, instance, marker, disk, resources, lanes, services };
  }

  /**
   * Interrupts a statement until it has ended, also one whose reader takes no more rows: DuckDB forgets an interrupt that
   * reaches it between the preparation of a statement and its start.
   */
  function interruptUntilEnded(state: Running): void {
    state.interrupt?.();
    state.again ??= setInterval(() => state.interrupt?.(), INTERRUPT_AGAIN_MS);
    if (state.query !== null) state.stuck ??= setTimeout(() => void abandon(state), STUCK_MS);
    state.resume?.();
  }

  /** Gives another connection to the lane of a statement that does not stop; the statement fails immediately. */
  async function abandon(state: Running): Promise<void> {
    if (opened === null || !state.isStarted) return;
    const { resources, instance } = opened;
    const connection = await instance.connect();
    if (!running.has(state)) return connection.closeSync();
    stuckCount++;
    // DuckDB would wait for the statement before it changed the number of its threads.
    const release = resources.pin();
    const query = state.query === 'unnamed' ? null : state.query;
    send({ kind: 'stuck', query, count: stuckCount });
    await state.lane.replace(connection);
    stuckCount--;
    release();
    send({ kind: 'stuck', query, count: stuckCount });
    sendRunning();
  }

  function sendRunning(): void {
    const queries = [...running].flatMap(({ query, isStarted }) =>
      isStarted && query !== null ? [query] : [],
    );
    const names = queries.filter((query) => query !== 'unnamed');
    send({ kind: 'running', queries: names, isQuerying: queries.length + stuckCount > 0 });
  }

  function shedCache(): void {
    opened?.resources
      .shedCache()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'The cache could not be freed'));
  }

  function interruptAll(): void {
    for (const state of running) {
      if (state.query === null || !state.isStarted) continue;
      state.isOutOfMemory = true;
      interruptUntilEnded(state);
    }
  }

  /**
   * The lane with the fewest waiting statements; all writes use the first one, since concurrent writes could
   * conflict.
   */
  function laneOf(lanes: readonly LaneConnection[], sql: string): LaneConnection {
    const [first, ...others] = lanes;
    if (!readsOnly(sql)) return first!;
    return others.reduce((best, next) => (next.waiting < best.waiting ? next : best), first!);
  }

  async function statement(message: Extract<ToOwner, { kind: 'statement' }>): Promise<unknown> {
    const lane = laneOf(opened!.lanes[message.lane], message.sql);
    const state: Running = {
      interrupt: null,
      lane,
      query: message.lane === 'analytic' ? (message.query ?? 'unnamed') : null,
      isStarted: false,
      again: null,
      stuck: null,
      isOutOfMemory: false,
      cancelled: false,
      credit: STREAM_AHEAD,
      resume: null,
    };
    running.add(state);
    byId.set(message.id, state);
    let rows: Row[] = [];
    let timer: NodeJS.Timeout | null = null;
    try {
      for (const service of Object.values(opened!.services)) await service.beforeStatement?.(message.sql);
      const run = (): Promise<void> =>
        lane.run({
          sql: message.sql,
          params: message.params,
          onStart: (interrupt) => {
            if (state.cancelled) throw new Error('Interrupted before it started');
            state.interrupt = interrupt;
            state.isStarted = true;
            if (message.lane === 'analytic') sendRunning();
            timer = setTimeout(() => interruptUntilEnded(state), message.timeoutMs);
          },
          onRows: async (piece) => {
            if (state.again !== null) throw new Error('Interrupted while its rows were read');
            const isFull = message.stream && rows.length + piece.length > STREAM_PIECE;
            if (isFull) await sendRows(message.id, rows, state);
            if (isFull) rows = piece;
            else rows.push(...piece);
          },
        });
      await (commits(message) ? commit(() => withMemory(message, run)) : withMemory(message, run));
      return rows;
    } catch (error) {
      if (state.isOutOfMemory) throw new Error(OUT_OF_MEMORY, { cause: error });
      if (error instanceof StuckStatementError)
        throw new Error('Interrupted, and given up', { cause: error });
      const wasInterrupted = state.again !== null && error instanceof BrokenOffError;
      throw wasInterrupted ? new Error('Interrupted while its rows were read') : error;
    } finally {
      running.delete(state);
      byId.delete(message.id);
      if (message.lane === 'analytic') sendRunning();
      if (timer !== null) clearTimeout(timer);
      if (state.again !== null) clearInterval(state.again);
      if (state.stuck !== null) clearTimeout(state.stuck);
    }
  }

  /** Runs what writes to the log; throws when that did not reach the file in the data folder. */
  async function commit(run: () => Promise<void>): Promise<void> {
    const { marker, disk } = opened!;
    try {
      disk.checkPlace();
      await marker.around(run);
      disk.checkChanged();
    } catch (error) {
      disk.failed(error);
      throw error;
    }
  }

  /** Sends a piece of a streamed result, and waits while the reader has enough of them. */
  async function sendRows(id: number, rows: Row[], state: Running): Promise<void> {
    send({ kind: 'rows', id, rows });
    state.credit--;
    if (state.credit <= 0) await new Promise<void>((resume) => (state.resume = resume));
  }

  /** Analytic statements and large statements run with the full memory limit. */
  function withMemory(
    { lane, params }: Extract<ToOwner, { kind: 'statement' }>,
    run: () => Promise<void>,
  ): Promise<void> {
    const { resources } = opened!;
    if (lane === 'analytic') return resources.whileQuerying(run);
    const characters = Object.values(params).reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    );
    return characters > LARGE_STATEMENT ? resources.whileMoving(run) : run();
  }

  function grantMore(id: number): void {
    const state = byId.get(id);
    if (state === undefined) return;
    state.credit++;
    state.resume?.();
    state.resume = null;
  }

  function cancel(id: number): void {
    const state = byId.get(id);
    if (state === undefined) return;
    state.cancelled = true;
    if (state.interrupt !== null) interruptUntilEnded(state);
  }

  async function close(): Promise<void> {
    if (opened === null) return;
    const { instance, marker, resources, lanes, services } = opened;
    // Queries have no callers any more. One that does not stop is abandoned, so that its lane ends.
    for (const [id, { query }] of byId) if (query !== null) cancel(id);
    // Statements first: a write still under way would forbid the services their last checkpoint.
    for (const lane of [...lanes.small, ...lanes.analytic, ...lanes.transaction]) await lane.close();
    try {
      for (const service of Object.values(services)) await service.close();
      await resources.close();
    } catch (error) {
      // A damaged file is let go of all the same, so that a backup can take its place.
      log.warn(
        { error: String(error) },
        'The store could not be closed in order; the log holds what was acknowledged',
      );
    }
    instance.closeSync();
    if (opened.path !== null) rmSync(`${opened.path}.tmp`, RECURSIVELY);
    marker.note();
    marker.close();
    opened = null;
  }

  function answer(id: number, work: Promise<unknown>): void {
    work.then(
      (value) => send({ kind: 'done', id, value }),
      (error: unknown) => {
        damage?.seen(error);
        if (troubleOf(error) !== null) log.error({ error: String(error) }, 'The store could not do its work');
        send({ kind: 'failed', id, failure: failureOf(error) });
        if (isFatal(error)) endThread(error);
      },
    );
  }

  port.on('message', ((message: ToOwner) => {
    switch (message.kind) {
      case 'open':
        return answer(message.id, open(message.options));
      case 'statement':
        return answer(message.id, statement(message));
      case 'more':
        return grantMore(message.id);
      case 'cancel':
        return cancel(message.id);
      case 'shed-cache':
        return shedCache();
      case 'interrupt-all':
        return interruptAll();
      case 'call':
        return answer(
          message.id,
          (async () => await opened!.services[message.service]!.call!(message.message as never))(),
        );
      case 'post':
        return opened!.services[message.service]!.post!(message.message as never);
      case 'close':
        return answer(message.id, close());
    }
  }) as (message: never) => void);
}

const RECURSIVELY = { recursive: true, force: true } as const;
/** What a new database takes, with its log. */
const NEW_DATABASE_BYTES = 8_388_608;

/** Throws OpenFailure where a new database has no room. */
function checkRoom(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < NEW_DATABASE_BYTES) throw openFailure('No space left', path);
}

/** Restricts files of older versions, and those that others have put into the folder, to their owner. */
function protectFiles(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(basename(path))) continue;
    const file = join(dirname(path), name);
    const { mode } = statSync(file);
    if ((mode & 0o077) === 0) continue;
    try {
      chmodSync(file, mode & 0o700);
    } catch {
      // Of another owner, who decides.
    }
  }
}

/** Whether a statement writes to the log: within a transaction only its COMMIT does. */
function commits({ lane, sql }: Extract<ToOwner, { kind: 'statement' }>): boolean {
  return lane === 'transaction' ? sql === 'COMMIT' : lane === 'small' && !readsOnly(sql);
}

/** What opening the database will mostly do: read its file, or replay its log. */
function openingStep(path: string): string {
  const [file, log] = [path, `${path}.wal`].map(
    (name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0,
  ) as [number, number];
  if (log >= 1_000_000) return `Replaying ${sizeText(log)} of the write-ahead log`;
  return file === 0 ? 'Creating the database' : `Opening ${sizeText(file)}`;
}

function sizeText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}

function failureOf(error: unknown): Failure {
  if (error instanceof OpenFailure) {
    return { reason: error.reason, message: error.message, holderPid: error.holderPid };
  }
  const message = error instanceof Error ? error.message : String(error);
  const trouble = troubleOf(error);
  if (trouble !== null) return { reason: 'unavailable', message: trouble };
  return { reason: /interrupt/i.test(message) ? 'interrupted' : 'statement', message };
}

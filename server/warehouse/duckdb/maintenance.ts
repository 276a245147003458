import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { endThread, isFatal, isStoreError } from '../../db/fatal.ts';
import type { LogMarker } from '../../db/log-mark.ts';
import type { DamageWatch } from '../../db/store-damage.ts';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { StoreParticipant } from './commit-participant.ts';
import { compactStep, type Compacted } from './compaction.ts';
import type { DiskWatch } from '../../db/disk-watch.ts';
import type { EventWriter } from './event-writer.ts';
import type { HotColumns } from './fast/hot-columns.ts';
import type { MaintenanceTask, MaintenanceContext } from './maintenance-task.ts';
import type { StreamHold } from './stream-hold.ts';
import type { TableWriteLock } from './table-write-lock.ts';

const LOOK_EVERY_MS = 1_000;
/** The store counts as idle after this long without a commit. */
const QUIET_MS = 2_000;
/** Number of recent rows that are compacted when idle, and even under load. */
const COMPACT_QUIET_ROWS = 5_000;
const COMPACT_LOADED_ROWS = 1_000_000;
/** Bytes of write-ahead log worth a checkpoint in a quiet moment. */
const CHECKPOINT_QUIET_BYTES = 1_048_576;
/**
 * A checkpoint of 100 MB of log blocks commits for about half a second, and the log is also held in memory. Under
 * light load (the log grows by less than LIGHT_GROWTH_BYTES per run) checkpoints are therefore small and early, also
 * by age; under heavy load they would take most of the time.
 */
const CHECKPOINT_LIGHT_BYTES = 67_108_864;
const LIGHT_GROWTH_BYTES = 8_388_608;
const CHECKPOINT_AGE_MS = 600_000;
const CHECKPOINT_HEAVY_BYTES = 536_870_912;
/** Idle runs between two checks of the file sizes: settings are written without a commit of events. */
const LOOKS_PER_FILES = 10;
/** Attempts of a requested checkpoint, and the delay between them. */
const CHECKPOINT_ATTEMPTS = 50;
const CHECKPOINT_PAUSE_MS = 100;

export interface Maintenance {
  /** Called after each commit. */
  committed(rows: number): void;
  readonly lastCheckpoint: number | null;
  /** Bytes of the file and of its write-ahead log. */
  sizes(): Promise<{ fileBytes: number; walBytes: number }>;
  /** Compacts every recent row now. */
  compactAll(): Promise<void>;
  /** Does all idle work now: compacts and settles every row and writes a checkpoint. */
  tidy(): Promise<void>;
  /** Stops background work and waits for the current step. */
  stop(): Promise<void>;
  /** After `stop`: makes the last checkpoint. */
  close(): Promise<void>;
}

export interface MaintenanceOptions {
  connection: DuckDBConnection;
  writer: Pick<EventWriter, 'betweenCommits'>;
  writeLock: TableWriteLock;
  participants: readonly Pick<StoreParticipant, 'maintain' | 'settle'>[];
  /** Tasks, run after the participants in this order. */
  tasks: readonly MaintenanceTask[];
  path: string | null;
  disk: Pick<DiskWatch, 'failed' | 'hasRoomToCheckpoint' | 'look'>;
  marker: Pick<LogMarker, 'note'>;
  damage: DamageWatch;
  resources: Pick<Resources, 'giveBack' | 'whileSorting'>;
  recentRows: number;
  hold: Pick<StreamHold, 'eventsThrough'>;
  /** The columns that compaction fills. */
  hot: Pick<HotColumns, 'all'>;
  /** Called after each compaction step; null when there was nothing to move. */
  onCompacted: (moved: Compacted | null) => void;
  clock: Clock;
  log: Log;
}

/**
 * Compaction and checkpoints, which commits must not wait for. They run when the store is idle, and under load only
 * when the write-ahead log or the recent rows exceed their limits.
 */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { connection, writer, participants, resources, path, disk, clock, log } = options;
  let recentRows = options.recentRows;
  // Monotonic: if the system clock were set back, the store would not count as idle until it has caught up.
  let lastCommit = performance.now();
  let lastCheckpoint: number | null = null;
  let holdsMemory = true;
  let isClosing = false;
  /** Memory was too short for the last move of rows, which is logged once. */
  let wasShort = false;
  let working: Promise<void> | null = null;
  let fileBytes = 0;
  /** Log size at the last check, and the time of the last checkpoint (monotonic milliseconds). */
  let logBytes = 0;
  let checkpointAt = performance.now();
  /** Runs until the next check of the file sizes; 0 when a commit may have increased them. */
  let looksLeft = 0;
  /** Value of `writeLock.completed` at the last check of the file sizes. */
  let writesSeen = -1;

  /** Size of the file, or of the file with the same name plus `ending`; 0 when it does not exist. */
  async function bytesOf(ending = ''): Promise<number> {
    return path === null ? 0 : ((await stat(path + ending).catch(() => null))?.size ?? 0);
  }

  async function hasRoom(): Promise<boolean> {
    return disk.hasRoomToCheckpoint(await bytesOf('.wal'));
  }

  /** Checks the disk, and reopens the database when the open file is no longer the one in the folder. */
  async function lookAtDisk(): Promise<void> {
    if (!disk.look(await bytesOf('.wal')))
      endThread(new Error('FATAL: the open database is not the one in the data folder'));
  }

  /** One step; returns how many rows it has taken. */
  async function compact(): Promise<number> {
    holdsMemory = true;
    const moved = await options.writeLock.run(() =>
      // Sorting the rows of a step takes more than commits beside it can do without.
      resources.whileSorting(() => compactStep(connection, options.hot.all(), options.hold.eventsThrough)),
    );
    options.onCompacted(moved);
    wasShort = false;
    if (moved === null) {
      // Rows that a warehouse has not received yet stay.
      if (options.hold.eventsThrough === Infinity) recentRows = 0;
      return 0;
    }
    recentRows = Math.max(0, recentRows - moved.taken);
    if (moved.duplicates > 0)
      log.info({ duplicates: moved.duplicates }, 'Late retries of stored events were left out');
    return moved.taken;
  }

  async function checkpoint<T>(next: () => Promise<T>): Promise<T> {
    return await writer.betweenCommits(async () => {
      // A checkpoint that fails for lack of space makes DuckDB refuse everything; the log grows instead.
      if (!(await hasRoom())) throw new Error('There is too little room on the disk for a checkpoint');
      const started = performance.now();
      await connection.run('CHECKPOINT');
      options.marker.note();
      log.debug({ milliseconds: Math.round(performance.now() - started) }, 'A checkpoint was written');
      lastCheckpoint = clock();
      holdsMemory = true;
      return await next();
    });
  }

  function context(): MaintenanceContext {
    return {
      isQuiet: isQuiet(),
      get isClosing() {
        return isClosing;
      },
      fileBytes,
      compact,
      checkpoint,
    };
  }

  const isQuiet = (): boolean => performance.now() - lastCommit >= QUIET_MS;

  async function look(): Promise<void> {
    await lookAtDisk();
    if (!(await hasRoom())) return;
    if (isQuiet()) await giveBack();
    if (mayHaveGrown()) fileBytes = await bytesOf();
    if (!isQuiet() && recentRows >= COMPACT_LOADED_ROWS) await compact();
    while (isQuiet() && recentRows >= COMPACT_QUIET_ROWS && !isClosing) if ((await compact()) === 0) break;
    for (const participant of participants) if (!isClosing) await participant.maintain?.(isQuiet());
    for (const task of options.tasks) if (!isClosing) await task.run(context());
    if (mayHaveGrown()) await lookAtLog();
    else looksLeft--;
    if (isQuiet()) await giveBack();
  }

  function mayHaveGrown(): boolean {
    return looksLeft === 0 || writesSeen !== options.writeLock.completed;
  }

  /** Writes a checkpoint when the log has grown. */
  async function lookAtLog(): Promise<void> {
    const wasQuiet = isQuiet();
    writesSeen = options.writeLock.completed;
    const bytes = await bytesOf('.wal');
    const isLight = bytes - logBytes < LIGHT_GROWTH_BYTES;
    logBytes = bytes;
    if (bytes >= checkpointBytes(wasQuiet, isLight)) {
      await checkpoint(async () => undefined);
      logBytes = 0;
      checkpointAt = performance.now();
    }
    looksLeft = wasQuiet && isQuiet() ? LOOKS_PER_FILES : 0;
  }

  /** Log size at which a checkpoint is due. */
  function checkpointBytes(isQuietNow: boolean, isLight: boolean): number {
    const isOld = performance.now() - checkpointAt >= CHECKPOINT_AGE_MS;
    if (isQuietNow || (isLight && isOld)) return CHECKPOINT_QUIET_BYTES;
    return isLight ? CHECKPOINT_LIGHT_BYTES : CHECKPOINT_HEAVY_BYTES;
  }

  /** Returns memory to the system once after each period of work. */
  async function giveBack(): Promise<void> {
    if (!holdsMemory) return;
    holdsMemory = false;
    await resources.giveBack();
  }

  function work(job: () => Promise<void>): Promise<void> {
    working = (working ?? Promise.resolve()).then(job).catch((error: unknown) => {
      disk.failed(error);
      const isDamaged = options.damage.seen(error);
      if (isFatal(error)) endThread(error);
      if (isDamaged) return;
      // A long write on another connection blocks checkpoints; the next run retries.
      const isShort = isStoreError(error, /Out of Memory/i);
      log[isShort && !wasShort ? 'warn' : 'debug']({ error: String(error) }, 'Maintenance was put off');
      wasShort ||= isShort;
    });
    return working;
  }

  async function tidy(): Promise<void> {
    while (recentRows > 0 && !isClosing) if ((await compact()) === 0) break;
    for (const participant of participants) if (!isClosing) await participant.settle?.();
    for (let attempt = 1; ; attempt++) {
      try {
        return await checkpoint(async () => undefined);
      } catch (error) {
        // A write on another connection blocks it temporarily.
        if (attempt === CHECKPOINT_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, CHECKPOINT_PAUSE_MS));
      }
    }
  }

  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    void work(look).finally(() => (busy = false));
  }, LOOK_EVERY_MS);
  timer.unref();

  return {
    get lastCheckpoint() {
      return lastCheckpoint;
    },
    committed(rows) {
      recentRows += rows;
      lastCommit = performance.now();
      holdsMemory = true;
      looksLeft = 0;
    },
    sizes: async () => ({ fileBytes: await bytesOf(), walBytes: await bytesOf('.wal') }),
    compactAll: () =>
      work(async () => {
        while (recentRows > 0) if ((await compact()) === 0) break;
      }),
    async tidy() {
      const done = (working ?? Promise.resolve()).then(tidy);
      working = done.catch(() => undefined);
      await done;
    },
    async stop() {
      clearInterval(timer);
      isClosing = true;
      await working;
      await work(async () => {
        for (const task of options.tasks) {
          fileBytes = await bytesOf();
          await task.close(context());
        }
      });
    },
    async close() {
      if (path !== null && (await hasRoom().catch(() => false))) {
        await connection.run('CHECKPOINT').catch((error: unknown) => {
          log.warn(
            { error: String(error) },
            'The last checkpoint failed; the write-ahead log holds everything',
          );
        });
      }
      connection.closeSync();
    },
  };
}

import type { DuckDBConnection } from '@duckdb/node-api';
import { collectGarbage } from '../lib/collect-garbage.ts';

const MIB = 1_048_576;
/**
 * DuckDB's memory limit without analytic statements: enough for commits; data that is not checkpointed yet is
 * spilled.
 */
const RESTING_BYTES = 128 * MIB;
/** Its limit while recent rows are sorted, as many as are moved together, beside commits. */
const SORTING_BYTES = 512 * MIB;
/** What it is cut down to for a moment, so that it returns its buffers to the system. */
const IDLE_BYTES = 64 * MIB;
/** Queries mostly come in groups: the limit stays raised this long after the last one. */
const LINGER_MS = 2_000;

/**
 * DuckDB's memory and threads, raised to what the machine and the user allow only while analytic statements run.
 * Ingestion needs little memory, and a buffer that was filled once would stay with the process; and with a second
 * thread awake DuckDB moves every COMMIT to it while the first waits in a loop, which costs more than the commit.
 */
export interface Resources {
  /** Runs `work` with the full limits. */
  whileQuerying<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` with the user's memory but one thread: much to move, while commits go on. */
  whileMoving<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` with one thread and as much memory as sorting one step of rows takes. */
  whileSorting<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps limits and threads as they are until the returned function is called: changing them waits for what runs. */
  pin(): () => void;
  /** Returns what is not needed now to the system; for quiet moments. */
  giveBack(): Promise<void>;
  /** Frees data that is held only to be read faster, while statements run. */
  shedCache(): Promise<void>;
  close(): Promise<void>;
}

/** Puts both at rest. `fullBytes` is the user's limit, `fullThreads` the machine's cores. */
export async function createResources(
  connection: DuckDBConnection,
  fullBytes: number,
  fullThreads: number,
): Promise<Resources> {
  const resting: Level = { bytes: Math.min(RESTING_BYTES, fullBytes), threads: 1 };
  const sorting: Level = { bytes: Math.min(SORTING_BYTES, fullBytes), threads: 1 };
  const moving: Level = { bytes: fullBytes, threads: 1 };
  const full: Level = { bytes: fullBytes, threads: fullThreads };
  const idle: Level = { bytes: Math.min(IDLE_BYTES, fullBytes), threads: 1 };
  let running = 0;
  let movingCount = 0;
  let sortingCount = 0;
  let level: Level | null = null;
  let tail: Promise<void> = Promise.resolve();
  let lowering: NodeJS.Timeout | null = null;

  /** One change after the other. */
  function enqueue(change: () => Promise<void>): Promise<void> {
    tail = tail.catch(() => undefined).then(change);
    return tail;
  }

  function set(target: Level): Promise<void> {
    return enqueue(async () => {
      if (level === target) return;
      level = null;
      await connection.run(`SET threads = ${target.threads}`);
      await setMemory(target.bytes);
      level = target;
    });
  }

  async function setMemory(bytes: number): Promise<void> {
    await connection.run(`SET memory_limit = '${Math.floor(bytes / MIB)}MiB'`);
  }

  /** What is needed beside queries. */
  function beside(): Level {
    if (movingCount > 0) return moving;
    return sortingCount > 0 ? sorting : resting;
  }

  function lowerLater(): void {
    if (lowering !== null) clearTimeout(lowering);
    lowering = setTimeout(() => {
      lowering = null;
      // A limit below what is pinned just now is refused; the next quiet moment tries again.
      if (running === 0) set(beside()).catch(() => undefined);
    }, LINGER_MS);
    lowering.unref();
  }

  await set(resting);
  return {
    async whileQuerying(work) {
      running++;
      try {
        await set(full);
        return await work();
      } finally {
        running--;
        if (running === 0) lowerLater();
      }
    },
    pin() {
      running++;
      return () => {
        running--;
        if (running === 0) lowerLater();
      };
    },
    async whileMoving(work) {
      movingCount++;
      try {
        if (running === 0) await set(moving);
        return await work();
      } finally {
        movingCount--;
        if (running === 0 && movingCount === 0) lowerLater();
      }
    },
    async whileSorting(work) {
      sortingCount++;
      try {
        // What is raised already stays so: a lower limit may be refused by what is pinned.
        if (running === 0 && (level === null || level.bytes < sorting.bytes)) await set(beside());
        return await work();
      } finally {
        sortingCount--;
        if (running + movingCount + sortingCount === 0) lowerLater();
      }
    },
    async giveBack() {
      collectGarbage();
      if (running + movingCount + sortingCount > 0) return;
      await set(idle);
      // Statements that started in the meantime need the raised limit.
      if (running + movingCount + sortingCount === 0) await set(resting);
    },
    shedCache() {
      return enqueue(async () => {
        // A statement that holds more makes the lower limit fail, and keeps what it has; the rest is freed all the same.
        await setMemory(fullBytes / 2).catch(() => undefined);
        await setMemory(level?.bytes ?? fullBytes);
      });
    },
    async close() {
      if (lowering !== null) clearTimeout(lowering);
      await tail.catch(() => undefined);
      connection.closeSync();
    },
  };
}

interface Level {
  bytes: number;
  threads: number;
}

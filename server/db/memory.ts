import type { DuckDBConnection } from '@duckdb/node-api';
import { collectGarbage } from '../lib/collect-garbage.ts';

const MIB = 1_048_576;
/** What DuckDB may hold while nobody asks a question: enough for commits; more of what is not checkpointed yet is spilled. */
const RESTING_BYTES = 192 * MIB;
/** What it is cut down to for a moment, so that it returns its buffers to the system. */
const IDLE_BYTES = 64 * MIB;
/** Questions mostly come in groups: the limit stays up for so long after the last one. */
const LINGER_MS = 2_000;

/**
 * DuckDB's memory limit, raised to what the user allows only while analytic statements run: taking in events needs
 * little, and a buffer that was filled once would stay with the process.
 */
export interface Memory {
  /** Runs `work` with the full limit. */
  whileAsked<T>(work: () => Promise<T>): Promise<T>;
  /** Returns what is not needed now to the system; for quiet moments. */
  giveBack(): Promise<void>;
  close(): Promise<void>;
}

/** Puts the limit at rest. `fullBytes` is the user's limit. */
export async function createMemory(connection: DuckDBConnection, fullBytes: number): Promise<Memory> {
  const restingBytes = Math.min(RESTING_BYTES, fullBytes);
  let asking = 0;
  let limit = 0;
  let tail: Promise<void> = Promise.resolve();
  let lowering: NodeJS.Timeout | null = null;

  function set(bytes: number): Promise<void> {
    tail = tail
      .catch(() => undefined)
      .then(async () => {
        if (limit === bytes) return;
        await connection.run(`SET memory_limit = '${Math.floor(bytes / MIB)}MiB'`);
        limit = bytes;
      });
    return tail;
  }

  function lowerLater(): void {
    if (lowering !== null) clearTimeout(lowering);
    lowering = setTimeout(() => {
      lowering = null;
      // A limit below what is pinned just now is refused; the next quiet moment tries again.
      if (asking === 0) set(restingBytes).catch(() => undefined);
    }, LINGER_MS);
    lowering.unref();
  }

  await set(restingBytes);
  return {
    async whileAsked(work) {
      asking++;
      try {
        await set(fullBytes);
        return await work();
      } finally {
        asking--;
        if (asking === 0) lowerLater();
      }
    },
    async giveBack() {
      collectGarbage();
      if (asking > 0) return;
      await set(Math.min(IDLE_BYTES, restingBytes));
      await set(restingBytes);
    },
    async close() {
      if (lowering !== null) clearTimeout(lowering);
      await tail.catch(() => undefined);
      connection.closeSync();
    },
  };
}

import { parentPort, workerData } from 'node:worker_threads';
import { createMemoryWatch, type Verdict } from './lib/memory-watch.ts';
import { systemClock } from './lib/clock.ts';
import { writeEnding, type QueryName } from './lib/stopped-queries.ts';

// The thread that watches the process from outside of the main thread's event loop. It ends the process by a signal, since
// process.exit() waits for statements that run inside DuckDB.

export interface WatchData {
  maxBytes: number;
  /** An Int32 that the main thread raises. */
  beat: SharedArrayBuffer;
  /** Where the ending is written down; null: nowhere. */
  endingFile: string | null;
}

/** From the main thread: the queries that run now. */
export type ToWatch = { queries: readonly QueryName[]; isQuerying: boolean };
/** To the main thread: it has to shed the cache or to interrupt all statements, or the process is about to be ended. */
export type FromWatch = { kind: Exclude<Verdict, 'ok'>; rss: number };

const LOOK_MS = 50;
/** Without a statement there is only the main thread to look after, and the process has to be quiet. */
const IDLE_LOOK_MS = 500;
const SILENT_MS = 20_000;
/** The main thread writes its last line in this time. */
const LAST_WORD_MS = 100;

const { maxBytes, beat, endingFile } = workerData as WatchData;
const beats = new Int32Array(beat);
const judge = createMemoryWatch({ maxBytes, silentMs: SILENT_MS });
let now: ToWatch = { queries: [], isQuerying: false };
let isEnding = false;
let waiting: { timer: NodeJS.Timeout; intervalMs: number };

parentPort!.on('message', (message: ToWatch) => {
  now = message;
  if (isEnding || !now.isQuerying || waiting.intervalMs === LOOK_MS) return;
  clearTimeout(waiting.timer);
  wait(LOOK_MS);
});
wait(IDLE_LOOK_MS);

function wait(intervalMs: number): void {
  waiting = { timer: setTimeout(look, intervalMs, intervalMs), intervalMs };
}

function look(intervalMs: number): void {
  const rss = process.memoryUsage.rss();
  const verdict = judge({ intervalMs, rss, beat: Atomics.load(beats, 0), isQuerying: now.isQuerying });
  if (verdict !== 'ok') parentPort!.postMessage({ kind: verdict, rss } satisfies FromWatch);
  if (verdict !== 'end-memory' && verdict !== 'end-silent')
    return wait(now.isQuerying ? LOOK_MS : IDLE_LOOK_MS);
  isEnding = true;
  const reason = verdict === 'end-memory' ? 'memory' : 'silent';
  if (endingFile !== null) writeEnding(endingFile, { reason, queries: now.queries, at: systemClock() });
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_WORD_MS);
}

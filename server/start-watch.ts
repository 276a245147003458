import { Worker } from 'node:worker_threads';
import type { Log } from './lib/log.ts';
import { MEMORY_HEADROOM } from './lib/memory-watch.ts';
import type { NewNotice, NoticeBoard } from './lib/notices.ts';
import {
  createStoppedQueries,
  takeEnding,
  type Ending,
  type QueryName,
  type StoppedQueries,
} from './lib/stopped-queries.ts';
import type { FromWatch, ToWatch, WatchData } from './watch-thread.ts';

const BEAT_MS = 250;

export interface WatchOptions {
  watchUrl: URL;
  memoryLimitBytes: number;
  endingFile: string | null;
  now: () => number;
  log: Log;
  notices: NoticeBoard;
}

/** The watch over memory and the main thread, for the life of the process. */
export interface Watch {
  readonly stopped: StoppedQueries;
  /** Notes what runs. */
  running(queries: readonly QueryName[], isQuerying: boolean): void;
  /** Called when the database has to free what it holds only to read it faster. */
  onShed: () => void;
  /** Called when all statements have to be interrupted. */
  onInterrupt: () => void;
  /** Looks from now on: from when the server listens. */
  begin(): void;
}

/** Reads why the process before ended, refuses its queries after a restart, and makes the watch. */
export function createWatch(options: WatchOptions): Watch {
  const { endingFile, log, notices, memoryLimitBytes } = options;
  const maxBytes = memoryLimitBytes + MEMORY_HEADROOM;
  const ending = endingFile === null ? null : takeEnding(endingFile, options.now());
  // What was refused is allowed again after a start by hand.
  if (ending === null) notices.clear('query_stopped');
  else notices.raise(endingNotice(ending));
  const stopped = createStoppedQueries(ending?.isRestart === true ? ending.queries : []);
  let now: ToWatch = { queries: [], isQuerying: false };
  let worker: Worker | null = null;

  function receive({ kind, rss }: FromWatch): void {
    const fields = { rss, maxBytes, queries: now.queries.map(({ text }) => text) };
    if (kind === 'shed') return watch.onShed();
    if (kind === 'end-silent') return log.error(fields, 'The main thread did not answer; the process ends');
    if (kind === 'end-memory')
      return log.error(fields, 'Queries did not stop and memory ran out; the process ends');
    log.warn(fields, 'Queries took too much memory and are interrupted');
    const refused = stopped.stop(now.queries);
    watch.onInterrupt();
    if (now.queries.length > 0) notices.raise(stoppedNotice(now.queries, refused, maxBytes));
  }

  const watch: Watch = {
    stopped,
    onShed: () => {},
    onInterrupt: () => {},
    running(queries, isQuerying) {
      now = { queries, isQuerying };
      worker?.postMessage(now);
    },
    begin() {
      const beat = new SharedArrayBuffer(4);
      const beats = new Int32Array(beat);
      worker = new Worker(options.watchUrl, {
        name: 'watch',
        workerData: { maxBytes, beat, endingFile } satisfies WatchData,
      });
      worker.on('message', receive);
      worker.on('error', (error) => log.error({ err: error }, 'The watch over memory failed'));
      worker.unref();
      setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
    },
  };
  return watch;
}

const NOTICE = { level: 'warning', page: 'sql', refusesEvents: false, dismissible: true } as const;

function stoppedNotice(
  queries: readonly QueryName[],
  refused: readonly QueryName[],
  maxBytes: number,
): NewNotice {
  const next =
    refused.length === 0
      ? 'They will be rejected if this happens again.'
      : `${named(refused)} ${refused.length === 1 ? 'is' : 'are'} rejected until Burrow is restarted.`;
  return {
    ...NOTICE,
    id: 'query_stopped',
    title: queries.length === 1 ? 'A query was stopped' : 'Queries were stopped',
    text: `Burrow used more than ${megabytes(maxBytes)} of memory while running ${named(queries)}. No events were lost. ${next}`,
  };
}

function endingNotice({ reason, queries, isRestart }: Ending & { isRestart: boolean }): NewNotice {
  const what = {
    memory: 'used too much memory, and a query did not stop',
    silent: 'stopped answering',
    stuck: 'had queries that did not stop',
  }[reason];
  const ran = queries.length === 0 ? '' : ` ${named(queries)} ran at that time.`;
  const next =
    queries.length === 0 || !isRestart
      ? ''
      : ` ${queries.length === 1 ? 'It is' : 'They are'} rejected until Burrow is restarted manually.`;
  return {
    ...NOTICE,
    id: 'query_stopped',
    title: 'Burrow was restarted',
    text: `It ${what}. All acknowledged events are stored.${ran}${next}`,
  };
}

function named(queries: readonly QueryName[]): string {
  return queries.map(({ text }) => `“${text}”`).join(' and ');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576).toLocaleString('en')} MB`;
}

import { Worker } from 'node:worker_threads';
import { timeLimit } from '../../lib/time-limit.ts';
import { ImportError } from './import-error.ts';
import type { ImportPreviewJson, SentSettings } from './imports.contract.ts';
import type { ImportFile, ImportPiece, RunOrder } from './read-import.ts';

/** Reads files, which takes a processor for as long as they are large. */
export interface ImportReader {
  /** Throws ImportError. */
  preview(file: ImportFile, settings: SentSettings): Promise<ImportPreviewJson>;
  /** Ends with the signal. Throws ImportError. */
  read(order: RunOrder, signal: AbortSignal): AsyncIterable<ImportPiece>;
}

export type ToReader =
  | { kind: 'preview'; file: ImportFile; settings: SentSettings }
  | { kind: 'read'; order: RunOrder }
  | { kind: 'more' };

export type FromReader =
  | { kind: 'preview'; preview: ImportPreviewJson }
  | { kind: 'piece'; piece: ImportPiece }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };

/** Pieces that are read ahead of who stores them. */
export const PIECES_AHEAD = 2;
/** A file of others may be built to take memory: the thread ends then, and nothing else. */
const MAX_THREAD_MB = 1_024;

/** A preview that takes longer is ended. */
const PREVIEW_MS = 60_000;

/** What reads is loaded with the first file: DuckDB and parsers would make every start of the server wait. */
const load = () => import('./read-import.ts');

/** Reads in the caller's thread, where no source of the thread can be loaded. */
export const readHere: ImportReader = {
  preview: async (file, settings) => await (await load()).previewImport(file, settings),
  async *read(order) {
    yield* (await load()).readImport(order);
  },
};

/** Reads each file in a thread of its own, which ends with it. */
export function readInThreads(url: URL, previewMs = PREVIEW_MS): ImportReader {
  /** Ends with the preview before. */
  let turn: Promise<unknown> = Promise.resolve();

  /** `next`: null once the signal has ended it. */
  function start(
    message: ToReader,
    signal: AbortSignal,
  ): { worker: Worker; next: () => Promise<FromReader | null> } {
    const worker = new Worker(url, {
      name: 'import',
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB },
    });
    const arrived: FromReader[] = [];
    let failure: Error | null = null;
    let wake = (): void => undefined;
    worker.on('message', (answer: FromReader) => {
      arrived.push(answer);
      wake();
    });
    worker.on('error', (error) => {
      failure = new ImportError(
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'Reading the file takes too much memory. Split it.'
          : `Reading the file failed: ${error.message}`,
        { cause: error },
      );
      wake();
    });
    worker.on('exit', () => {
      failure ??= new ImportError('Reading the file broke off.');
      wake();
    });
    worker.postMessage(message);
    signal.addEventListener('abort', () => wake(), { once: true });
    return {
      worker,
      async next() {
        while (arrived.length === 0 && failure === null && !signal.aborted)
          await new Promise<void>((resolve) => (wake = resolve));
        if (signal.aborted) return null;
        const answer = arrived.shift();
        if (answer === undefined) throw failure!;
        if (answer.kind === 'failed') throw new ImportError(answer.message);
        return answer;
      },
    };
  }

  async function preview(file: ImportFile, settings: SentSettings): Promise<ImportPreviewJson> {
    const { worker, next } = start({ kind: 'preview', file, settings }, timeLimit(previewMs));
    try {
      const answer = await next();
      if (answer === null) throw new ImportError('Reading the first rows takes too long.');
      if (answer.kind !== 'preview') throw new Error(`The thread of an import answered ${answer.kind}`);
      return answer.preview;
    } finally {
      await worker.terminate();
    }
  }

  return {
    /** One after another: each may take much memory. */
    preview(file, settings) {
      const previewed = turn.then(() => preview(file, settings));
      turn = previewed.catch(() => undefined);
      return previewed;
    },
    async *read(order, signal) {
      const { worker, next } = start({ kind: 'read', order }, signal);
      try {
        for (;;) {
          const answer = await next();
          if (answer?.kind !== 'piece') return;
          worker.postMessage({ kind: 'more' } satisfies ToReader);
          yield answer.piece;
        }
      } finally {
        await worker.terminate();
      }
    },
  };
}

import { Worker } from 'node:worker_threads';
import { ImportError } from './import-error.ts';
import type { ImportPreviewJson, SentSettings } from './imports.contract.ts';
import {
  previewImport,
  readImport,
  type ImportFile,
  type ImportPiece,
  type RunOrder,
} from './read-import.ts';

/** Reads files, which takes a processor for as long as they are large. */
export interface ImportReader {
  /** Throws ImportError. */
  preview(file: ImportFile, settings: SentSettings): Promise<ImportPreviewJson>;
  /** Throws ImportError. */
  read(order: RunOrder): AsyncIterable<ImportPiece>;
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

/** Reads in the caller's thread, where no source of the thread can be loaded. */
export const readHere: ImportReader = { preview: previewImport, read: readImport };

/** Reads each file in a thread of its own, which ends with it. */
export function readInThreads(url: URL): ImportReader {
  function start(message: ToReader): { worker: Worker; next: () => Promise<FromReader> } {
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
    return {
      worker,
      async next() {
        while (arrived.length === 0 && failure === null)
          await new Promise<void>((resolve) => (wake = resolve));
        const answer = arrived.shift();
        if (answer === undefined) throw failure!;
        if (answer.kind === 'failed') throw new ImportError(answer.message);
        return answer;
      },
    };
  }

  return {
    async preview(file, settings) {
      const { worker, next } = start({ kind: 'preview', file, settings });
      try {
        const answer = await next();
        if (answer.kind !== 'preview') throw new Error(`The thread of an import answered ${answer.kind}`);
        return answer.preview;
      } finally {
        await worker.terminate();
      }
    },
    async *read(order) {
      const { worker, next } = start({ kind: 'read', order });
      try {
        for (;;) {
          const answer = await next();
          if (answer.kind !== 'piece') return;
          worker.postMessage({ kind: 'more' } satisfies ToReader);
          yield answer.piece;
        }
      } finally {
        await worker.terminate();
      }
    },
  };
}

import { parentPort } from 'node:worker_threads';
import { ImportError } from './import-error.ts';
import { previewImport, readImport, type RunOrder } from './read-import.ts';
import { PIECES_AHEAD, type FromReader, type ToReader } from './start-reader.ts';

// The thread in which a file is read: it can be ended at any moment, and its memory is its own.
const port = parentPort!;
let ahead = PIECES_AHEAD;
let wake = (): void => undefined;

port.on('message', (message: ToReader) => {
  if (message.kind === 'more') {
    ahead++;
    wake();
  } else void answer(message);
});

async function answer(message: Exclude<ToReader, { kind: 'more' }>): Promise<void> {
  try {
    if (message.kind === 'preview')
      send({ kind: 'preview', preview: await previewImport(message.file, message.settings) });
    else await read(message.order);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    send({ kind: 'failed', message: error.message });
  }
}

async function read(order: RunOrder): Promise<void> {
  for await (const piece of readImport(order)) {
    while (ahead === 0) await new Promise<void>((resolve) => (wake = resolve));
    ahead--;
    send({ kind: 'piece', piece }, piece.batch === null ? [] : [piece.batch.buffer]);
  }
  send({ kind: 'end' });
}

function send(message: FromReader, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, [...transfer]);
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { createStream } from 'rotating-file-stream';

const NAME = 'burrow.log';
const SIZE = '5M';
/** Older files, `burrow.1.log` the newest of them. */
const KEPT = 3;

/** The file that the server's log is written to, in the folder; null where it cannot be written. */
export function openLogFile(folder: string): Writable | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stream = createStream((number) => (number ? `burrow.${String(number)}.log` : NAME), {
      path: folder,
      size: SIZE,
      rotate: KEPT,
      mode: 0o600,
    });
    // A full disk ends neither the app nor the server.
    stream.on('error', (error) => console.error(`The log cannot be written: ${error.message}`));
    return stream;
  } catch (error) {
    console.error(`The log cannot be written: ${(error as Error).message}`);
    return null;
  }
}

/** The newest log file of the folder. */
export function logFileIn(folder: string): string {
  return join(folder, NAME);
}

import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { whileRoom } from '../../lib/disk-room.ts';

/** Characters that go to the archive as one piece. */
const PIECE = 65_536;

export interface ArchiveFile {
  readonly name: string;
  /** It has its own compression. */
  readonly isCompressed?: boolean;
  /** Called when the files before it are written. */
  read(): AsyncIterable<string | Buffer>;
}

/** Writes files one after the other to a ZIP archive. Rejects with what a file throws, and with `noRoom()`. */
export async function writeArchive(
  path: string,
  files: readonly ArchiveFile[],
  { mtime, noRoom, signal }: { mtime: Date; noRoom: () => Error; signal: AbortSignal },
): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | null = null;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, isCompressed = false, read } of files)
    zip.addReadStreamLazy(name, { mtime, compress: !isCompressed }, (take) => {
      current = Readable.from(inPieces(read()));
      take(null, current);
    });
  zip.end();
  try {
    const room = whileRoom(dirname(path), noRoom);
    await pipeline(output, room, createWriteStream(path, { mode: 0o600 }), { signal });
  } finally {
    (current as Readable | null)?.destroy();
  }
}

async function* inPieces(texts: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  let piece = '';
  for await (const text of texts) {
    if (typeof text !== 'string') yield text;
    else {
      piece += text;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

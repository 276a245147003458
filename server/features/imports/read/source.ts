import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { ImportError } from '../import-error.ts';

export type Container = 'plain' | 'gzip' | 'brotli' | 'zip' | 'parquet';

/** A text in a source: the file itself, or a file of an archive. */
export interface SourceText {
  readonly name: string;
  /** A sample is read again, and is no progress. */
  open(isSample?: boolean): Promise<Readable>;
}

export interface Source {
  readonly container: Container;
  readonly texts: readonly SourceText[];
  /** How much of it was read, from 0 to 1. */
  progress(): number;
  close(): void;
}

/** Files of an archive that are no data. */
const NO_DATA = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|dummy-object\.txt$)|\/$/;
/** Files of an archive: it may not have more. */
const MAX_FILES = 100_000;

/** Opens a file by what it begins with, whatever its name is. Throws ImportError. */
export async function openSource(path: string, name: string): Promise<Source> {
  const { size } = await stat(path);
  const container = await containerOf(path, name);
  if (container === 'zip') return await openZip(path);
  let file: ReturnType<typeof createReadStream> | null = null;
  return {
    container,
    texts: [
      {
        name: container === 'plain' ? name : name.replace(/\.(?:gz|br)$/i, ''),
        async open() {
          file = createReadStream(path, { highWaterMark: 1_048_576 });
          if (container === 'gzip') return inflated(file, createGunzip());
          return container === 'brotli' ? inflated(file, createBrotliDecompress()) : file;
        },
      },
    ],
    progress: () => (size === 0 ? 1 : Math.min(1, (file?.bytesRead ?? 0) / size)),
    close: () => void file?.destroy(),
  };
}

async function containerOf(path: string, name: string): Promise<Container> {
  const head = Buffer.alloc(6);
  const file = await open(path);
  try {
    await file.read(head, 0, head.length, 0);
  } finally {
    await file.close();
  }
  const begins = (...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  if (begins(0x50, 0x41, 0x52, 0x31)) return 'parquet';
  if (begins(0x1f, 0x8b)) return 'gzip';
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'zip';
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) throw unread('zstd');
  if (begins(0x42, 0x5a, 0x68)) throw unread('bzip2');
  if (begins(0xfd, 0x37, 0x7a, 0x58, 0x5a)) throw unread('xz');
  // Brotli has no mark of its own.
  return /\.br$/i.test(name) ? 'brotli' : 'plain';
}

function unread(codec: string): ImportError {
  return new ImportError(`The file is compressed with ${codec}. Unpack it, and import what is in it.`);
}

/** Errors of the file reach the reader too. */
function inflated(file: Readable, inflate: ReturnType<typeof createGunzip>): Readable {
  file.on('error', (error) => inflate.destroy(error));
  return file.pipe(inflate);
}

async function openZip(path: string): Promise<Source> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new ImportError('The archive cannot be read: it is damaged or incomplete.');
  });
  const entries = (await entriesOf(zip)).filter(({ fileName }) => !NO_DATA.test(fileName));
  const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  let read = 0;
  const counted = (stream: Readable): Readable => stream.on('data', ({ length }) => void (read += length));
  return {
    container: 'zip',
    texts: entries.toSorted(byName).map((entry) => ({
      name: entry.fileName,
      async open(isSample = false) {
        const stream = await streamOf(zip, entry);
        const packed = isSample ? stream : counted(stream);
        return /\.gz$/i.test(entry.fileName) ? inflated(packed, createGunzip()) : packed;
      },
    })),
    progress: () => (total === 0 ? 1 : Math.min(1, read / total)),
    close: () => zip.close(),
  };
}

function byName(a: Entry, b: Entry): number {
  return a.fileName.localeCompare(b.fileName, 'en', { numeric: true });
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MAX_FILES) reject(new ImportError('The archive has too many files.'));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', () => reject(new ImportError('The archive cannot be read: it is damaged.')));
    zip.readEntry();
  });
}

function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(new ImportError(`${entry.fileName} in the archive cannot be read: ${error.message}.`));
    });
  });
}

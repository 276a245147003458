import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ImportError } from '../import-error.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes of a file that decide how it is read. */
export const SAMPLE_BYTES = 1_048_576;
/** Characters of one row. */
export const MAX_ROW_LENGTH = 20_971_520;

/** The encoding of a text by its mark, else by whether it is UTF-8, and by its zeros. */
export function encodingOf(sample: Buffer): Encoding {
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return 'utf-8';
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const [even, odd] = [zeros(sample, 0), zeros(sample, 1)];
  if (Math.max(even, odd) > sample.length / 8) return even > odd ? 'utf-16be' : 'utf-16le';
  // A sample that is not the whole file may end inside of a character.
  for (let cut = 0; cut < (sample.length < SAMPLE_BYTES ? 1 : 4); cut++)
    if (isUtf8(sample.subarray(0, sample.length - cut))) return 'utf-8';
  return 'windows-1252';
}

function zeros(sample: Buffer, from: number): number {
  let count = 0;
  for (let at = from; at < sample.length; at += 2) if (sample[at] === 0) count++;
  return count;
}

/** The first bytes of a stream, which is closed. */
export async function sampleOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= SAMPLE_BYTES) break;
    }
  } catch (error) {
    throw unreadable(error);
  }
  return Buffer.concat(pieces).subarray(0, SAMPLE_BYTES);
}

/** The text of a stream in pieces, without the mark at its beginning. */
export async function* textOf(stream: Readable, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) yield decoder.decode(piece, { stream: true });
  } catch (error) {
    throw unreadable(error);
  }
  yield decoder.decode();
}

/** The lines of a text, many at a time; empty ones count. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_ROW_LENGTH) throw new ImportError('A line of the file is longer than 20 MB.');
    yield lines.map(withoutReturn);
  }
  if (rest !== '') yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function unreadable(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_') || code.startsWith('ERR_'))
    return new ImportError('The file cannot be unpacked: it is damaged or incomplete.');
  return error;
}

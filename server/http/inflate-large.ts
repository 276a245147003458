import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { ApiError, fail } from '../errors.ts';
import { fitsDecoded } from './body-limits.ts';
import { isGzip, MAX_GZIP_LAYERS } from './inflate.ts';
import { createPartCounter } from './json-parts.ts';

/** Bytes of one piece: reading one takes a fraction of a millisecond, and other requests get their turn after it. */
const PIECE_BYTES = 65_536;

/**
 * Undoes the compression of a body that holds more than a plain one may: beside the loop, in pieces, and only until it is
 * clear that it does not fit into memory. Null when nothing around the whole body is compressed.
 * Rejects with payload_too_large, or with invalid_payload for a broken stream.
 */
export async function inflateLarge(
  bytes: Uint8Array,
  contentEncoding: string,
  maxBodyBytes: number,
): Promise<Uint8Array | null> {
  let plain = bytes;
  let layers = 0;
  const encoding = contentEncoding.trim().toLowerCase();
  const outer = isGzip(bytes) ? null : streamOf(encoding, bytes);
  if (outer !== null) plain = await inflate(plain, outer, maxBodyBytes);
  for (; layers < MAX_GZIP_LAYERS && isGzip(plain); layers++) {
    plain = await inflate(plain, zlib.createGunzip({ chunkSize: PIECE_BYTES }), maxBodyBytes);
  }
  return outer === null && layers === 0 ? null : plain;
}

/** The stream that undoes a Content-Encoding other than gzip, or null. */
function streamOf(encoding: string, bytes: Uint8Array): Transform | null {
  const options = { chunkSize: PIECE_BYTES };
  if (encoding === 'br') return zlib.createBrotliDecompress(options);
  if (encoding === 'deflate') {
    // The low four bits of a zlib header are 8, and its first two bytes a multiple of 31.
    const hasHeader = (bytes[0]! & 15) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
    return hasHeader ? zlib.createInflate(options) : zlib.createInflateRaw(options);
  }
  // Node 22.15 and later.
  if (encoding === 'zstd' && 'createZstdDecompress' in zlib)
    return (zlib as unknown as { createZstdDecompress(options: object): Transform }).createZstdDecompress(
      options,
    );
  return null;
}

async function inflate(bytes: Uint8Array, stream: Transform, maxBodyBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const parts = createPartCounter();
  let length = 0;
  try {
    await pipeline([bytes], stream, async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) {
        length += piece.length;
        if (!fitsDecoded(length, parts.add(piece), maxBodyBytes)) throw fail('payload_too_large');
        pieces.push(piece);
      }
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw fail('invalid_payload', { detail: 'malformed request data: broken compressed stream.' });
  }
  return Buffer.concat(pieces, length);
}

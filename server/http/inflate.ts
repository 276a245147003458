import * as zlib from 'node:zlib';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ApiError, fail } from '../errors.ts';
import type { DecodedLimits } from './body-limits.ts';
import { holdsMoreParts } from './json-parts.ts';

/** Transports may wrap what an SDK has wrapped already; more layers than this are no SDK. */
export const MAX_GZIP_LAYERS = 2;

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Whether these bytes open a gzip stream (magic bytes 1f 8b). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Bytes of a body without its gzip, as the last four of a stream say; a body without gzip has its own. */
export function plainBytes(bytes: Uint8Array): number {
  if (!isGzip(bytes) || bytes.length < 18) return bytes.length;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(bytes.length - 4, true);
}

/**
 * Undoes gzip, known by its magic bytes alone. Other bytes are returned as they are.
 * Throws payload_too_large when the result would pass the limits, invalid_payload
 * when the stream is broken.
 */
export function gunzip(bytes: Uint8Array, limits: DecodedLimits): Uint8Array {
  let plain = bytes;
  for (let layer = 0; layer < MAX_GZIP_LAYERS && isGzip(plain); layer++) {
    const inflated = attempt(gunzipSync, plain, limits);
    if (inflated === null)
      throw fail('invalid_payload', { detail: 'malformed request data: broken gzip stream.' });
    plain = inflated;
  }
  return plain;
}

/** Undoes `Content-Encoding: br`. Throws as gunzip does. */
export function unbrotli(bytes: Uint8Array, limits: DecodedLimits): Uint8Array {
  const inflated = attempt(brotliDecompressSync, bytes, limits);
  if (inflated === null)
    throw fail('invalid_payload', { detail: 'malformed request data: broken br stream.' });
  return inflated;
}

/** Undoes `Content-Encoding: deflate`, which clients send with and without the zlib header. Throws as gunzip does. */
export function undeflate(bytes: Uint8Array, limits: DecodedLimits): Uint8Array {
  const inflated = attempt(inflateSync, bytes, limits) ?? attempt(inflateRawSync, bytes, limits);
  if (inflated === null)
    throw fail('invalid_payload', { detail: 'malformed request data: broken deflate stream.' });
  return inflated;
}

/** Content-Encodings that inflateAs undoes; zstd only where the runtime has it (Node 22.15 and later). */
const ENCODINGS: ReadonlyMap<string, Decompress | null> = new Map<string, Decompress | null>([
  ['', null],
  ['identity', null],
  ['gzip', gunzipSync],
  ['deflate', (bytes, { maxOutputLength }) => undeflate(bytes, { bytes: maxOutputLength, parts: Infinity })],
  ['br', brotliDecompressSync],
  ...(typeof zlib.zstdDecompressSync === 'function' ? [['zstd', zlib.zstdDecompressSync] as const] : []),
]);

/** Whether inflateAs reads this Content-Encoding. */
export function isReadEncoding(encoding: string): boolean {
  return ENCODINGS.has(encoding.trim().toLowerCase());
}

/**
 * Undoes exactly what Content-Encoding says, for doors where nothing is recognised by itself (capture v1).
 * Throws unsupported_media_type for an encoding that is not read, else as gunzip does.
 */
export function inflateAs(encoding: string, bytes: Uint8Array, limits: DecodedLimits): Uint8Array {
  const name = encoding.trim().toLowerCase();
  const decompress = ENCODINGS.get(name);
  if (decompress === undefined)
    throw fail('unsupported_media_type', { detail: `The Content-Encoding '${name}' is not supported.` });
  if (decompress === null) return bytes;
  const inflated = attempt(decompress, bytes, limits);
  if (inflated === null)
    throw fail('invalid_payload', { detail: `malformed request data: broken ${name} stream.` });
  return inflated;
}

/** The result, or null for a broken stream. */
function attempt(decompress: Decompress, bytes: Uint8Array, limits: DecodedLimits): Uint8Array | null {
  try {
    const inflated = decompress(bytes, { maxOutputLength: limits.bytes });
    if (holdsMoreParts(inflated, limits.parts)) throw fail('payload_too_large');
    return inflated;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw fail('payload_too_large');
    return null;
  }
}

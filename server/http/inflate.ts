import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { fail } from '../errors.ts';

/** Transports may wrap what an SDK has wrapped already; more layers than this are no SDK. */
const MAX_GZIP_LAYERS = 2;

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** Whether these bytes open a gzip stream (magic bytes 1f 8b). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Undoes gzip, known by its magic bytes alone. Other bytes are returned as they are.
 * Throws payload_too_large when the result would pass `maxBytes`, invalid_payload when the stream is broken.
 */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  let plain = bytes;
  for (let layer = 0; layer < MAX_GZIP_LAYERS && isGzip(plain); layer++) {
    const inflated = attempt(gunzipSync, plain, maxBytes);
    if (inflated === null)
      throw fail('invalid_payload', { detail: 'malformed request data: broken gzip stream.' });
    plain = inflated;
  }
  return plain;
}

/** Undoes `Content-Encoding: br`. Throws as gunzip does. */
export function unbrotli(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const inflated = attempt(brotliDecompressSync, bytes, maxBytes);
  if (inflated === null)
    throw fail('invalid_payload', { detail: 'malformed request data: broken br stream.' });
  return inflated;
}

/** Undoes `Content-Encoding: deflate`, which clients send with and without the zlib header. Throws as gunzip does. */
export function undeflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const inflated = attempt(inflateSync, bytes, maxBytes) ?? attempt(inflateRawSync, bytes, maxBytes);
  if (inflated === null)
    throw fail('invalid_payload', { detail: 'malformed request data: broken deflate stream.' });
  return inflated;
}

/** The result, or null for a broken stream. */
function attempt(decompress: Decompress, bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw fail('payload_too_large');
    return null;
  }
}

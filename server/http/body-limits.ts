/** How many times its limit on the wire a body may hold after decompression (ingestion contract 1.5). */
const DECODED_TIMES = 8;

/** What an object or list of JSON costs in memory beside its text, roughly: a tiny event becomes a row of so many bytes. */
const PART_BYTES = 256;

/** Bounds of what a body may decompress to. */
export interface DecodedLimits {
  bytes: number;
  /** Objects and lists. */
  parts: number;
}

/** Bytes that a body of at most `maxBodyBytes` may decompress to. */
export function decodedLimit(maxBodyBytes: number): number {
  return maxBodyBytes * DECODED_TIMES;
}

/** Without a bound of their own, as many objects and lists as fit into an eighth of the bytes, three bytes each. */
export function decodedLimits(
  maxDecodedBytes: number,
  maxParts = Math.floor(maxDecodedBytes / DECODED_TIMES / 3),
): DecodedLimits {
  return { bytes: maxDecodedBytes, parts: maxParts };
}

/**
 * Limits of a form whose parts are compressed separately; all parts are decoded together, so their objects and lists
 * are limited too.
 */
export function formLimits(maxBodyBytes: number): DecodedLimits {
  const bytes = decodedLimit(maxBodyBytes);
  return { bytes, parts: Math.floor(bytes / PART_BYTES) };
}

/**
 * Whether a body that decompresses to more than a plain one may hold fits into memory: each object and list counts as
 * PART_BYTES beside its text, and all together must stay within the bytes that it may decompress to.
 */
export function fitsDecoded(bytes: number, parts: number, maxBodyBytes: number): boolean {
  const most = decodedLimit(maxBodyBytes);
  return bytes <= most && (bytes <= maxBodyBytes || bytes + parts * PART_BYTES <= most);
}

/** How many times its limit on the wire a body may hold after decompression (ingestion contract 1.5). */
const DECODED_TIMES = 8;

/** Bytes that a body of at most `maxBodyBytes` may decompress to. */
export function decodedLimit(maxBodyBytes: number): number {
  return maxBodyBytes * DECODED_TIMES;
}

/** Objects and lists that a decompressed body may hold: as many as fit into the limit on the wire, three bytes each. */
export function partsLimit(maxDecodedBytes: number): number {
  return Math.floor(maxDecodedBytes / DECODED_TIMES / 3);
}

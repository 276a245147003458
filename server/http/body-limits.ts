/** How many times its limit on the wire a body may hold after decompression (ingestion contract 1.5). */
const DECODED_TIMES = 8;

/** Bytes that a body of at most `maxBodyBytes` may decompress to. */
export function decodedLimit(maxBodyBytes: number): number {
  return maxBodyBytes * DECODED_TIMES;
}

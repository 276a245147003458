import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Creates a new UUID (version 7: ordered by time, so that rows created together are close together on disk). */
export type NewId = () => string;

/** Random bytes come from the system for 256 IDs per call: one call per ID costs more than storing its event. */
const RANDOM_BYTES = 16;
const pool = new Uint8Array(RANDOM_BYTES * 256);
let poolUsed = pool.length;
let lastMs = 0;
let sequence = 0;

function takeRandom(): Uint8Array {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  return pool.subarray(poolUsed, (poolUsed += RANDOM_BYTES));
}

/** IDs of one millisecond follow each other by a counter of 32 bits that starts in its lower half. */
export const newUuid: NewId = () => {
  const msecs = Math.max(Date.now(), lastMs);
  const random = takeRandom();
  if (msecs > lastMs) {
    lastMs = msecs;
    sequence = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  } else sequence = (sequence + 1) >>> 0;
  return v7({ random, msecs, seq: sequence });
};

/** A random secret of `bytes` bytes as base64url text behind `prefix` (`phc_`, `phx_`...). */
export function newSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
}

/** Eight random characters of `0-9A-Za-z_-`: the name of an insight in addresses (management contract 2.7). */
export function newShortId(): string {
  return randomBytes(6).toString('base64url');
}

/** Random 32-bit words, as seeds of hashes. */
export function randomWords(count: number): Uint32Array {
  return randomFillSync(new Uint32Array(count));
}

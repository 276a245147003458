import { createHash } from 'node:crypto';
import { newSecret } from '../../lib/ids.ts';

/** A new personal key: 256 random bits behind `phx_`. */
export function newPersonalApiKey(): string {
  return newSecret('phx_');
}

/**
 * What is kept of a key. A plain hash is enough for 256 random bits, which cannot be tried out; and being looked up by
 * its hash, the time that takes reveals nothing about a key.
 */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What is shown of a key: `phx_...MPLE`. */
export function maskOfKey(key: string): string {
  return `${key.startsWith('phx_') ? 'phx_' : ''}...${key.slice(-4)}`;
}

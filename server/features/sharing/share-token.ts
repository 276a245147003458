import { createHash } from 'node:crypto';
import { newSecret } from '../../lib/ids.ts';

/** Random bytes of a token: 176 bits cannot be guessed. */
const TOKEN_BYTES = 22;

/** A new token of a link: 30 letters and digits. */
export function newShareToken(): string {
  return newSecret('', TOKEN_BYTES);
}

/**
 * By what a token is looked up, SHA-256 in hexadecimal. The time of comparing hashes reveals nothing about a token,
 * since no sender can choose a hash.
 */
export function hashOfShareToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether a text may be a token at all; anything else is not looked up. */
export function isShareToken(text: string): boolean {
  return /^[\w-]{16,400}$/.test(text);
}

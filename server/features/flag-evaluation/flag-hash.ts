import { hash } from 'node:crypto';

/** 2^60: what 15 hexadecimal digits can say, as binary64 (F-10). */
const SCALE = 2 ** 60;
const MAX_IDENTIFIER = 200;

/**
 * Where an identifier falls between 0 and 1 (F-10): the first 15 hexadecimal digits of SHA-1 of prefix, identifier and
 * salt in UTF-8. The empty identifier falls to 0 (F-12).
 */
export function flagHash(prefix: string, identifier: string, salt: '' | 'variant'): number {
  if (identifier === '') return 0;
  return parseInt(hash('sha1', prefix + identifier + salt, 'hex').slice(0, 15), 16) / SCALE;
}

/** What of an identifier is hashed: its first 200 Unicode scalars (F-12). */
export function hashedIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER) return identifier;
  // A scalar is at most two units, so that no more of a long text has to be taken apart.
  return Array.from(identifier.slice(0, 2 * MAX_IDENTIFIER))
    .slice(0, MAX_IDENTIFIER)
    .join('');
}

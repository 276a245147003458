/**
 * Texts that are versions (ingestion contract P-8), without spaces around them, a leading v and what follows a plus sign:
 * missing and further parts are fine. The same in RE2 and JavaScript.
 */
export const VERSION_PATTERN =
  '([0-9]+)(?:[.]([0-9]*))?(?:[.]([0-9]*))?(?:[.][^-]*)?(?:-((?:[0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*)?))?';
/** Longer texts are no versions… */
export const MAX_VERSION_LENGTH = 200;
/** …and so are numbers beyond those that count exactly. */
export const MAX_VERSION_NUMBER = Number.MAX_SAFE_INTEGER;

const VERSION = new RegExp(`^${VERSION_PATTERN}$`);

/** A version as it is written, and its numbers. */
export interface Version {
  readonly text: string;
  readonly numbers: readonly [major: number, minor: number, patch: number];
}

/** The version that a text is, else null. */
export function readVersion(text: string): Version | null {
  const bare = text.trim().replace(/^[vV]/, '').split('+', 1)[0]!;
  const [, major, minor = '', patch = ''] =
    bare.length > MAX_VERSION_LENGTH ? [] : (VERSION.exec(bare) ?? []);
  if (major === undefined) return null;
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  return Math.max(...numbers) > MAX_VERSION_NUMBER ? null : { text: bare, numbers };
}

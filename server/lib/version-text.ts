/**
 * Texts that are versions (ingestion contract P-8), without spaces around them, a leading v and what follows a plus sign:
 * missing parts are fine, and further ones behind the third. The same in RE2 and JavaScript.
 */
export const VERSION_PATTERN =
  '([0-9]+)(?:[.]([0-9]*)(?:[.]([0-9]*)(?:[.][^-]*)?)?)?(?:-((?:[0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*)?))?';
/** Longer texts are no versions… */
export const MAX_VERSION_LENGTH = 200;
/** …and so are numbers beyond those that count exactly. */
export const MAX_VERSION_NUMBER = Number.MAX_SAFE_INTEGER;

const VERSION = new RegExp(`^${VERSION_PATTERN}$`);

type VersionNumbers = readonly [major: number, minor: number, patch: number];

/** A version as it is written, and its numbers. */
export interface Version {
  readonly text: string;
  readonly numbers: VersionNumbers;
}

/** `~1.2.3` ends before 1.3.0. */
export function tildeEnd([major, minor]: VersionNumbers): VersionNumbers {
  return [major, minor + 1, 0];
}

/** `^1.2.3` ends before 2.0.0: the next change of the first number that is not 0. */
export function caretEnd([major, minor, patch]: VersionNumbers): VersionNumbers {
  if (major > 0) return [major + 1, 0, 0];
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1];
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

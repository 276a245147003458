import { SemVer } from 'semver';
import { caretEnd, tildeEnd } from '../lib/version-text.ts';
import type { Reading, Test } from './evaluate.ts';
import { textOf, unwrap } from './property-text.ts';

const NO_VERSION = 'This is not a valid version such as 1.2.3.';

/** P-8: the order of two versions; a sentence when the value is no version. */
export function versionOrder(holds: (order: number) => boolean): Reading {
  return (wanted) => {
    const limit = readVersion(textOf(unwrap(wanted)));
    if (limit === null) return NO_VERSION;
    return (value) => {
      const version = readVersion(textOf(value));
      return version !== null && holds(compare(version, limit));
    };
  };
}

/** P-8: `~1.2.3`, `^1.2.3` or `1.2.*`. */
export function inVersionRange(range: 'tilde' | 'caret' | 'wildcard'): Reading {
  return (wanted) => {
    const text = textOf(unwrap(wanted));
    if (range === 'wildcard') return wildcard(text);
    const low = readVersion(text);
    if (low === null) return NO_VERSION;
    const endOf = range === 'tilde' ? tildeEnd : caretEnd;
    return between(low, endOf([low.major, low.minor, low.patch]));
  };
}

/** `1.*` and `1.2.*`; of more parts the first two count. */
function wildcard(text: string): Test | string {
  const [first, second] = text
    .trim()
    .replace(/^[vV]/, '')
    .replace(/\.\*$|\*$/, '')
    .split('.');
  const isMajor = /^\d+$/.test(first ?? '') && second === undefined;
  if (!isMajor && !(/^\d+$/.test(first ?? '') && /^\d+$/.test(second ?? ''))) {
    return 'This is not a valid version wildcard such as 1.2.*.';
  }
  const low = readVersion(isMajor ? first! : `${first}.${second}`);
  if (low === null) return NO_VERSION;
  return between(low, isMajor ? [low.major + 1, 0, 0] : [low.major, low.minor + 1, 0]);
}

/** From `low` to before every pre-release of `high`. */
function between(low: Version, high: readonly number[]): Test | string {
  const end = readVersion(`${high.join('.')}-0`);
  if (end === null) return NO_VERSION;
  return (value) => {
    const version = readVersion(textOf(value));
    return version !== null && compare(version, low) >= 0 && compare(version, end) < 0;
  };
}

/** A version, of which only a pre-release needs the library: to be read, and to be put in order. */
interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: SemVer | null;
}

/** A pre-release is lower than its release. */
function compare(a: Version, b: Version): number {
  const order = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (order !== 0 || a.prerelease === b.prerelease) return order;
  if (a.prerelease === null) return 1;
  return b.prerelease === null ? -1 : a.prerelease.comparePre(b.prerelease);
}

const VERSION = /^[vV]?(\d+)(?:\.(\d*)(?:\.(\d*)(?:\.[^+-]*)?)?)?(?:-([^+]*))?(?:\+.*)?$/s;
/** Longer texts are no versions. */
const MAX_LENGTH = 200;

/**
 * A version as people write it: a leading `v`, missing parts, zeros in front, further parts and build metadata are
 * taken; a pre-release stays. Null for an invalid version.
 */
function readVersion(text: string): Version | null {
  if (text.length > MAX_LENGTH) return null;
  const [, first, second, third, rest] = VERSION.exec(text.trim()) ?? [];
  if (first === undefined) return null;
  const [major, minor, patch] = [Number(first), Number(second ?? 0), Number(third ?? 0)];
  if (![major, minor, patch].every(Number.isSafeInteger)) return null;
  if (rest === undefined || rest === '') return { major, minor, patch, prerelease: null };
  try {
    return { major, minor, patch, prerelease: new SemVer(`0.0.0-${rest}`, true) };
  } catch {
    return null;
  }
}

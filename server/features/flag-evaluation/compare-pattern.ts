import { RE2JS } from 're2js';
import type { Test } from './compare-text.ts';
import { textOf } from './property-text.ts';

/** Compiling takes time by length; nobody writes longer ones. */
const MAX_PATTERN = 10_000;
/** Longer texts would hold up everybody, however linear the search. */
const MAX_TEXT = 20_000;

/**
 * P-4: whether a pattern in RE2's syntax is found anywhere in the text, in linear time. A sentence when it is no such
 * pattern. A text longer than 20,000 characters is not searched, and then neither operator holds.
 */
export function finds(wanted: unknown, isNegative: boolean): Test | string {
  const pattern = compilePattern(textOf(wanted));
  if (typeof pattern === 'string') return pattern;
  return (value) => {
    const text = textOf(value);
    return text.length <= MAX_TEXT && pattern.test(text) !== isNegative;
  };
}

/** The compiled pattern, or a sentence that says why it is none. Look-around and back-references are not RE2. */
export function compilePattern(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return `A regular expression can have up to ${MAX_PATTERN} characters.`;
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return `Invalid regular expression (RE2): ${error instanceof Error ? error.message : String(error)}`;
  }
}

import { stringifyExactly } from './exact-number.contract.ts';

const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;

/**
 * JSON text as JSON.stringify writes it, with U+FFFD in place of surrogates without a partner: it escapes them, and
 * DuckDB's JSON reader refuses the escape. Takes escape by escape, so that an escaped backslash before the letters
 * `ud800` stays what it is.
 */
export function withoutLoneSurrogates(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}

/** The JSON text of a value as it is stored, with all digits: DuckDB's JSON reader takes every text that this makes. */
export function jsonText(value: unknown): string {
  return withoutLoneSurrogates(stringifyExactly(value));
}

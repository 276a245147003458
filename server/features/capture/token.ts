import { fail } from '../../errors.ts';

const MAX_LENGTH = 64;

/**
 * Checks the shape of a project key (ingestion contract 1.6) and returns it trimmed. Throws the 401 of table 1.7 that
 * names what is wrong; whether a project has the key is another question.
 */
export function checkTokenShape(token: unknown): string {
  if (token === undefined || token === null) throw fail('missing_api_key');
  if (typeof token !== 'string') throw fail('not_string_api_key');
  const trimmed = token.trim();
  if (trimmed === '') throw fail('empty_api_key');
  if (trimmed.length > MAX_LENGTH) throw fail('too_long_api_key');
  for (let i = 0; i < trimmed.length; i++) {
    const code = trimmed.charCodeAt(i);
    if (code === 0) throw fail('null_byte_api_key');
    if (code > 0x7f) throw fail('not_ascii_api_key');
  }
  if (trimmed.startsWith('phx_')) throw fail('personal_api_key');
  return trimmed;
}

/** Enough of a wrong key to recognize it, too little to use it: `phc_old…9Qd`. */
export function keyHint(token: string): string {
  return token.length <= 12 ? `${token.slice(0, 4)}…` : `${token.slice(0, 7)}…${token.slice(-3)}`;
}

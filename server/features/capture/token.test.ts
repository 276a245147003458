import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { checkTokenShape, keyHint } from './token.ts';

function refusal(token: unknown): unknown {
  try {
    return checkTokenShape(token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.body;
  }
}

describe('1.6 the shape of a project key', () => {
  test.each(['phc_abc', ' phc_abc\n', 'x', '0', 'x'.repeat(64)])('%j is accepted, trimmed', (token) => {
    expect(checkTokenShape(token)).toBe(token.trim());
  });

  test.each<[string, unknown, string]>([
    ['absent', undefined, 'missing_api_key'],
    ['null', null, 'missing_api_key'],
    ['empty', '', 'empty'],
    ['blank', ' \t', 'empty'],
    ['a number', 123, 'not_string'],
    ['false', false, 'not_string'],
    ['an object', { toString: 'phc_a' }, 'not_string'],
    ['65 characters long', 'x'.repeat(65), 'too_long'],
    ['not ASCII', 'phc_ä', 'not_ascii'],
    ['holding NUL', 'phc_\0', 'null_byte'],
    ['a personal key', 'phx_abc', 'personal_api_key'],
    ['a personal key behind a blank', ' phx_abc', 'personal_api_key'],
  ])('a key that is %s is 401 with its error code', (_, token, code) => {
    expect(refusal(token)).toMatchObject({ type: 'authentication_error', code, attr: null });
  });
});

test.each([
  ['phc_old_key_of_somebody_9Qd', 'phc_old…9Qd'],
  ['phc_abcdefgh', 'phc_…'],
  ['x', 'x…'],
])('an invalid key %s is shown only as %s', (token, hint) => {
  expect(keyHint(token)).toBe(hint);
});

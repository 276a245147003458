// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { takeSignInToken } from './sign-in-token.ts';

afterEach(() => history.replaceState(null, '', '/'));

test('the token is read, and removed from the URL', () => {
  history.replaceState(null, '', '/project/1/live?ingestion=open#token=abc%2Fdef');
  expect(takeSignInToken(window)).toBe('abc/def');
  expect(location.pathname + location.search + location.hash).toBe('/project/1/live?ingestion=open');
});

test('any other fragment is kept', () => {
  history.replaceState(null, '', '/#section');
  expect(takeSignInToken(window)).toBeNull();
  expect(location.hash).toBe('#section');
});

test('a token with broken escapes is still removed', () => {
  history.replaceState(null, '', '/#token=%E0%A4%A');
  expect(takeSignInToken(window)).toBe('%E0%A4%A');
  expect(location.hash).toBe('');
});

import { expect, test } from 'vitest';
import { hasScope, isScope } from './scopes.ts';

test.each([
  ['*', true],
  ['query:read', true],
  ['session_recording_playlist:write', true],
  ['made_up:read', true],
  ['query:delete', false],
  ['query', false],
  ['Query:read', false],
  [' query:read', false],
  ['query:read,user:read', false],
  ['', false],
  ['**', false],
])('isScope(%j) is %j', (text, expected) => {
  expect(isScope(text)).toBe(expected);
});

test.each([
  [['*'], ['query:read'], true],
  [['*'], ['*'], true],
  [['query:read'], ['query:read'], true],
  [['query:write'], ['query:read'], true],
  [['query:read'], ['query:write'], false],
  [['dashboard:write'], ['query:read'], false],
  [['dashboard:read'], ['access_control:read', 'dashboard:read'], true],
  [['query:write'], ['*'], false],
  [[], ['query:read'], false],
  [[], [], true],
])('a key with %j for a route that needs one of %j: %j', (granted, needed, expected) => {
  expect(hasScope(granted, needed)).toBe(expected);
});

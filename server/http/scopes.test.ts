import { expect, test } from 'vitest';
import { hasScope } from './scopes.ts';

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
])('a key with %j for a route that requires one of %j: %j', (granted, needed, expected) => {
  expect(hasScope(granted, needed)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftOfScopes, rightsLabel, SCOPE_OBJECTS, scopesOf, toggled, withPreset } from './key-scopes.ts';

test('write access includes read access, and removing read access removes both', () => {
  let draft = draftOfScopes([]);
  draft = toggled(draft, 'annotation', 'write');
  expect(scopesOf(draft)).toEqual(['annotation:write']);
  expect(scopesOf(toggled(draft, 'annotation', 'write'))).toEqual(['annotation:read']);
  expect(scopesOf(toggled(draft, 'annotation', 'read'))).toEqual([]);
});

test('a changed checkbox leaves the preset and keeps its other scopes', () => {
  const readAll = withPreset(draftOfScopes([]), 'read');
  const without = toggled(readAll, 'person', 'read');
  expect(without.preset).toBe('chosen');
  expect(scopesOf(without)).toHaveLength(SCOPE_OBJECTS.length - 1);
  expect(scopesOf(without)).not.toContain('person:read');
});

test('scopes on unlisted objects are kept', () => {
  const draft = draftOfScopes(['dashboard:read', 'hog_function:write']);
  expect(scopesOf(toggled(draft, 'dashboard', 'write'))).toEqual(['dashboard:write', 'hog_function:write']);
});

test('scopes are unchanged after reading and writing', () => {
  const scope = fc
    .tuple(fc.constantFrom(...SCOPE_OBJECTS.map(({ object }) => object)), fc.constantFrom('read', 'write'))
    .map(([object, right]) => `${object}:${right}`);
  fc.assert(
    fc.property(fc.uniqueArray(scope, { selector: (one) => one.split(':')[0] }), (scopes) => {
      expect(new Set(scopesOf(draftOfScopes(scopes)))).toEqual(new Set(scopes));
    }),
  );
  expect(scopesOf(draftOfScopes(['dashboard:read', 'dashboard:write']))).toEqual(['dashboard:write']);
  expect(scopesOf(draftOfScopes(['*']))).toEqual(['*']);
});

test.each([
  [['*'], 'everything'],
  [['dashboard:read', 'insight:read', 'annotation:write'], 'read 2, write 1'],
  [['annotation:write'], 'write 1'],
])('a key with %j may %s', (scopes, words) => {
  expect(rightsLabel(scopes)).toBe(words);
});

import { expect, test } from 'vitest';
import { createSharedEntries } from './shared-entries.ts';

test('only shared entries are invalidated, and once', () => {
  const given = createSharedEntries();
  expect(given.isEmpty).toBe(true);
  given.person(1);
  given.withoutPerson({ projectId: 1, distinctId: 'a' });
  given.group({ projectId: 1, groupTypeIndex: 0, groupKey: 'acme' });
  given.types(1);
  for (let n = 0; n < 2; n++) {
    given.personChanged(1);
    given.personChanged(2);
    given.distinctIdChanged(1, 'a');
    given.distinctIdChanged(2, 'a');
    given.groupChanged({ projectId: 1, groupTypeIndex: 0, groupKey: 'acme' });
    given.groupChanged({ projectId: 1, groupTypeIndex: 1, groupKey: 'acme' });
    given.typesChanged(1);
  }
  expect(given.drainInvalidations()).toEqual({
    kind: 'stale',
    personIds: [1],
    distinctIds: [{ projectId: 1, distinctId: 'a' }],
    groups: [{ projectId: 1, groupTypeIndex: 0, groupKey: 'acme' }],
    types: [1],
    projects: [],
    addresses: false,
  });
  expect([given.drainInvalidations(), given.isEmpty]).toEqual([null, true]);
});

test('sharing beyond the limit invalidates the oldest entries', () => {
  const given = createSharedEntries(2);
  for (const id of [1, 2, 3]) {
    given.person(id);
    given.withoutPerson({ projectId: 1, distinctId: `d${id}` });
    given.group({ projectId: 1, groupTypeIndex: 0, groupKey: `g${id}` });
  }
  expect(given.drainInvalidations()).toMatchObject({
    personIds: [1],
    distinctIds: [{ distinctId: 'd1' }],
    groups: [{ groupKey: 'g1' }],
  });
});

test('a deleted project invalidates all its entries', () => {
  const given = createSharedEntries();
  given.withoutPerson({ projectId: 1, distinctId: 'a' });
  given.types(1);
  given.projectDeleted(1);
  expect(given.isEmpty).toBe(true);
  expect(given.drainInvalidations()).toMatchObject({ projects: [1], distinctIds: [] });
});

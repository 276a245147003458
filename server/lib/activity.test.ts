import { expect, test } from 'vitest';
import { changesBetween } from './activity.ts';

test('a change names each field that differs, with both values', () => {
  const before = { name: 'Weekly', tags: ['a'], pinned: false, description: null };
  const after = { name: 'Daily', tags: ['a'], pinned: false, description: 'All of it' };
  expect(changesBetween('Dashboard', before, after)).toEqual([
    { type: 'Dashboard', action: 'changed', field: 'name', before: 'Weekly', after: 'Daily' },
    { type: 'Dashboard', action: 'created', field: 'description', before: null, after: 'All of it' },
  ]);
});

test('a removed value is a deletion, an omitted field is unchanged', () => {
  expect(changesBetween('Insight', { query: { kind: 'A' }, name: 'x' }, { query: null })).toEqual([
    { type: 'Insight', action: 'deleted', field: 'query', before: { kind: 'A' }, after: null },
  ]);
});

test.each(['toString', 'valueOf', 'constructor', '__proto__'])(
  'a field named like a member of Object.prototype was null before it was set: %s',
  (field) => {
    expect(changesBetween('Project', {}, Object.fromEntries([[field, 1]]))).toEqual([
      { type: 'Project', action: 'created', field, before: null, after: 1 },
    ]);
  },
);

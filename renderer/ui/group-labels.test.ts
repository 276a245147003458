import { expect, test } from 'vitest';
import { groupTitleOf, pluralOf, singularOf } from './group-labels.ts';

const aType = (
  group_type: string,
  name_singular: string | null = null,
  name_plural: string | null = null,
) => ({
  group_type,
  name_singular,
  name_plural,
});

test.each([
  ['company', 'Companies'],
  ['project', 'Projects'],
  ['business', 'Businesses'],
  ['bay', 'Bays'],
])('the plural of %s is %s', (one, many) => {
  expect(pluralOf(aType(one))).toBe(many);
});

test('custom names of a group type override the default', () => {
  expect(singularOf(aType('organization', 'client'))).toBe('client');
  expect(pluralOf(aType('organization', 'client'))).toBe('Clients');
  expect(pluralOf(aType('person', null, 'people'))).toBe('People');
});

test('a group is shown by its name, or by its key without a name', () => {
  expect(groupTitleOf({ group_key: 'w_1', group_properties: { name: 'Reyes Studio' } })).toBe('Reyes Studio');
  expect(groupTitleOf({ group_key: 'w_1', group_properties: { name: '' } })).toBe('w_1');
});

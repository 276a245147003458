import { expect, test } from 'vitest';
import { normalTag } from '../../ui/normal-tag.ts';
import { isPosthogs, meaningOf, typeLabelOf } from './definition-labels.ts';

test('a description overrides the built-in meaning of a name', () => {
  expect(meaningOf({ name: '$pageview', description: '' })).toBe('Page viewed');
  expect(meaningOf({ name: '$pageview', description: 'Also in the app' })).toBe('Also in the app');
  expect(meaningOf({ name: 'invoice sent', description: '' })).toBe('');
});

test('every type has a label, null included', () => {
  expect(
    (['String', 'Numeric', 'Boolean', 'DateTime', 'Duration', null] as const).map(
      (type) => typeLabelOf(type).label,
    ),
  ).toEqual(['Text', 'Number', 'Boolean', 'Date', 'Duration', 'Other']);
});

test('PostHog names are distinguished from the project’s own', () => {
  expect(['$set', 'survey sent', 'invoice sent', 'survey'].map(isPosthogs)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  [' Billing ', 'billing'],
  ['Core,', 'core'],
  [' , ', ''],
])('%j is normalized to the tag %j', (typed, kept) => {
  expect(normalTag(typed)).toBe(kept);
});

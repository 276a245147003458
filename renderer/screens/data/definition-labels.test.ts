import { expect, test } from 'vitest';
import { normalTag } from '../../ui/normal-tag.ts';
import { isPosthogs, meaningOf, typeLabelOf } from './definition-labels.ts';

test('a description stands before what PostHog means by a name', () => {
  expect(meaningOf({ name: '$pageview', description: '' })).toBe('Page viewed');
  expect(meaningOf({ name: '$pageview', description: 'Also in the app' })).toBe('Also in the app');
  expect(meaningOf({ name: 'invoice sent', description: '' })).toBe('');
});

test('every type has a word, also none', () => {
  expect(
    (['String', 'Numeric', 'Boolean', 'DateTime', 'Duration', null] as const).map(
      (type) => typeLabelOf(type).label,
    ),
  ).toEqual(['Text', 'Number', 'Boolean', 'Date', 'Duration', 'Other']);
});

test('names of PostHog are told apart from the project’s own', () => {
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
])('%j is kept as the tag %j', (typed, kept) => {
  expect(normalTag(typed)).toBe(kept);
});

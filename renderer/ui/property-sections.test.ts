import { describe, expect, test } from 'vitest';
import { sectionsOf, sourceLabel } from './property-sections.ts';

const properties = {
  plan: 'studio',
  $browser: 'Firefox',
  $initial_browser: 'Safari',
  email: 'ana@reyes.example',
  age: 41,
  $os: 'Linux',
};

describe('properties', () => {
  test('custom properties are first, names before all, initial ones last', () => {
    expect(sectionsOf(properties, '')).toEqual({
      own: ['email', 'age', 'plan'],
      sdk: ['$browser', '$os', '$initial_browser'],
    });
  });

  test('a search finds names and values, in any case', () => {
    expect(sectionsOf(properties, 'STUDIO')).toEqual({ own: ['plan'], sdk: [] });
    expect(sectionsOf(properties, 'brow')).toEqual({ own: [], sdk: ['$browser', '$initial_browser'] });
    expect(sectionsOf(properties, '41').own).toEqual(['age']);
  });
});

test('the source of a property has a label', () => {
  const at = '2026-03-04T09:12:33Z';
  expect(sourceLabel({ event: '$identify', by: '$set', at })).toEqual({ how: 'Set by', event: '$identify' });
  expect(sourceLabel({ event: '$pageview', by: '$set_once', at }).how).toBe('Set once by');
  expect(sourceLabel({ event: null, by: '$set', at }).event).toBeNull();
});

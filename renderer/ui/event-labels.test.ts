import { CircleDashed, CircleDot, Eye, Sparkles } from '@lucide/vue';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromOf, iconOf, initialsOf, textOf, whereOrWhat, orderProperties } from './event-labels.ts';

const anEvent = (event: string, properties: Record<string, unknown> = {}) => ({ event, properties });

describe('the place or subject of an event', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      '$pageview',
      { $current_url: 'https://app.example/invoices/8841?tab=2#top', $pathname: '/other' },
      '/invoices/8841',
    ],
    ['$pageview', { $current_url: 'https://app.example/#/settings' }, '/settings'],
    ['$pageview', { $current_url: 'not a url' }, 'not a url'],
    ['$screen', { $screen_name: 'Receipts' }, 'Receipts'],
    ['$feature_flag_called', { $feature_flag: 'tone', $feature_flag_response: true }, 'tone = true'],
    ['$groupidentify', { $group_type: 'workspace', $group_key: 'w_2207' }, 'workspace w_2207'],
    ['$exception', { $exception_message: 'x is not a function' }, 'x is not a function'],
    [
      'invoice paid',
      { amount: 1260, currency: 'EUR', note: 'late', $lib: 'posthog-node' },
      'amount 1260, currency EUR',
    ],
    ['invoice paid', { nested: { a: 1 }, token: 'phc_x' }, ''],
    ['nothing', {}, ''],
  ])('of %s with %j is “%s”', (name, properties, words) => {
    expect(whereOrWhat(anEvent(name, properties))).toBe(words);
  });

  test('any properties have a text', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (name, properties) => {
        expect(typeof whereOrWhat(anEvent(name, properties))).toBe('string');
      }),
    );
  });
});

describe('a row', () => {
  test('kinds of events have icons', () => {
    expect(iconOf('$pageview')).toBe(Eye);
    expect(iconOf('$ai_generation')).toBe(Sparkles);
    expect(iconOf('invoice sent')).toBe(CircleDot);
    expect(iconOf('$something_new')).toBe(CircleDashed);
  });

  test.each([
    ['ana@reyes-studio.example', 'AR'],
    ['jun.sakamoto@sakamoto-sound.example', 'JS'],
    ['Ada Lovelace', 'AL'],
    ['u_51907', null],
    ['0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7', null],
    ['', null],
  ])('the initials of %s are %s', (distinctId, initials) => {
    expect(initialsOf(distinctId)).toBe(initials);
  });

  test.each([
    ['web', 'web'],
    ['posthog-js', 'web'],
    ['posthog-node', 'node'],
    ['my-own', 'my-own'],
    ['', ''],
  ])('%s is labeled %s', (lib, word) => {
    expect(fromOf(lib)).toBe(word);
  });
});

test('an event’s own properties are first, the technical ones last', () => {
  const order = orderProperties({
    $zebra: 1,
    token: 't',
    $lib: 'web',
    amount: 1,
    $current_url: 'u',
    $ape: 1,
  });
  expect(order).toEqual(['amount', '$current_url', '$lib', '$ape', '$zebra', 'token']);
});

test('a value fits on one line', () => {
  expect([textOf('a'), textOf(1), textOf(null), textOf({ a: [1] }), textOf(undefined)]).toEqual([
    'a',
    '1',
    'null',
    '{"a":[1]}',
    '',
  ]);
});

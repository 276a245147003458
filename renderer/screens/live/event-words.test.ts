import { CircleDashed, CircleDot, Eye, Sparkles } from '@lucide/vue';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DroppedRow } from '../../api/ingestion.api.ts';
import type { LiveEvent } from '../../api/live.api.ts';
import { groupDrops } from './drop-words.ts';
import { delayOf, fromOf, iconOf, initialsOf, textOf, whereOrWhat } from './event-words.ts';
import { orderProperties } from './property-order.ts';
import { captureBodyOf, curlOf } from './resend.ts';

const anEvent = (
  event: string,
  properties: Record<string, unknown> = {},
  change: Partial<LiveEvent> = {},
): LiveEvent => ({
  id: '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
  event,
  distinct_id: 'ana@reyes-studio.example',
  timestamp: '2026-11-19T13:32:08.417204Z',
  received_at: '2026-11-19T13:32:08.455Z',
  properties,
  elements_chain: '',
  lib: 'web',
  lib_version: '1.0.0',
  ...change,
});

describe('where or what', () => {
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

  test('any properties give some text', () => {
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
  ])('%s comes from %s', (lib, word) => {
    expect(fromOf(lib)).toBe(word);
  });

  test('the delay is from happening to arrival; unknown for an event of the listing', () => {
    expect(delayOf(anEvent('a'))).toBe(38);
    expect(delayOf(anEvent('a', {}, { received_at: null }))).toBeNull();
  });
});

test('an event’s own properties come first, the technical ones last', () => {
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

describe('sending again', () => {
  const event = anEvent(`it's "sent"`, { note: `a 'quoted' $HOME \`x\`\n` });

  test('is a new event of the same content', () => {
    expect(captureBodyOf(event, 'phc_x', () => 'new-id')).toEqual({
      api_key: 'phc_x',
      uuid: 'new-id',
      event: event.event,
      distinct_id: event.distinct_id,
      properties: event.properties,
    });
  });

  test('the curl command keeps every character within single quotes', () => {
    const text = curlOf(event, 'http://127.0.0.1:2877', 'phc_x');
    expect(text.startsWith('curl http://127.0.0.1:2877/capture/ \\\n')).toBe(true);
    const argument = text.slice(text.indexOf('--data-raw ') + 11);
    expect(JSON.parse(unquote(argument))).toEqual({
      api_key: 'phc_x',
      event: event.event,
      distinct_id: event.distinct_id,
      properties: event.properties,
    });
  });

  /** What a POSIX shell makes of a word of single-quoted pieces and escaped characters. */
  function unquote(word: string): string {
    return [...word.matchAll(/'([^']*)'|\\(.)/g)].map(([, quoted, escaped]) => quoted ?? escaped).join('');
  }
});

describe('dropped events', () => {
  const aRow = (reason: string, lib: string, count: number): DroppedRow => ({
    reason,
    lib,
    lib_version: '1.0.0',
    count,
    first_seen: '2026-11-19T13:00:00Z',
    last_seen: '2026-11-19T13:10:00Z',
    sample_event: 'signup',
  });

  test('are grouped by reason, the most frequent first, each with its SDKs', () => {
    const groups = groupDrops([
      aRow('missing_event_name', 'curl', 12),
      aRow('missing_distinct_id', 'posthog-node', 7),
      aRow('missing_distinct_id', 'posthog-python', 20),
    ]);
    expect(groups.map(({ title, count }) => [title, count])).toEqual([
      ['No distinct_id', 27],
      ['No event name', 12],
    ]);
    expect(groups[0]?.rows.map(({ lib }) => lib)).toEqual(['posthog-python', 'posthog-node']);
  });

  test('a reason of a newer server is shown by its name', () => {
    expect(groupDrops([aRow('over_quota', 'web', 1)])[0]).toMatchObject({ title: 'over quota', hint: '' });
  });
});

test('a value in one line', () => {
  expect([textOf('a'), textOf(1), textOf(null), textOf({ a: [1] }), textOf(undefined)]).toEqual([
    'a',
    '1',
    'null',
    '{"a":[1]}',
    '',
  ]);
});

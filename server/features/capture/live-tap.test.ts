import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromCapture, LiveEvent, LiveFilter } from './capture-messages.ts';
import { passesLiveFilters } from './live-filter.ts';
import { createLiveTap } from './live-tap.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function event(more: Partial<LiveEvent> = {}): LiveEvent {
  return {
    projectId: 1,
    id: '0190f0c1-2222-7000-8000-0000000000ff',
    event: 'signup',
    distinctId: 'u1',
    timestamp: 0,
    receivedAt: 0,
    properties: '{"plan":"Pro","seats":5,"nothing":null,"deep":{"a":[1]}}',
    elementsChain: '',
    lib: '',
    libVersion: '',
    ...more,
  };
}

test.each<[boolean, LiveFilter[]]>([
  [true, []],
  [true, [{ field: 'event', operator: 'exact', value: 'SIGNUP' }]],
  [false, [{ field: 'event', operator: 'is_not', value: 'signup' }]],
  [true, [{ field: 'distinct_id', operator: 'icontains', value: 'U' }]],
  [true, [{ field: 'property', key: 'plan', operator: 'exact', value: 'pro' }]],
  [true, [{ field: 'property', key: 'seats', operator: 'exact', value: '5' }]],
  [true, [{ field: 'property', key: 'deep', operator: 'icontains', value: '[1]' }]],
  [true, [{ field: 'property', key: 'nothing', operator: 'is_set' }]],
  [false, [{ field: 'property', key: 'absent', operator: 'is_set' }]],
  [true, [{ field: 'property', key: 'absent', operator: 'is_not_set' }]],
  [true, [{ field: 'property', key: 'absent', operator: 'is_not', value: 'x' }]],
  [false, [{ field: 'property', key: 'toString', operator: 'is_set' }]],
  [
    false,
    [
      { field: 'event', operator: 'exact', value: 'signup' },
      { field: 'distinct_id', operator: 'exact', value: 'u2' },
    ],
  ],
])('%s for %j', (passes, filters) => {
  expect(passesLiveFilters(event(), filters)).toBe(passes);
});

test('a watcher gets the events of its project that pass its filters, four times a second', () => {
  const sent: FromCapture[] = [];
  const tap = createLiveTap((message) => sent.push(message));
  tap.subscribe(7, 1, [{ field: 'event', operator: 'exact', value: 'signup' }]);
  tap.offer(event());
  tap.offer(event({ event: 'other' }));
  tap.offer(event({ projectId: 2 }));
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(250);
  expect(sent).toEqual([{ kind: 'live', id: 7, events: [event()], skipped: 0 }]);
  vi.advanceTimersByTime(1_000);
  expect(sent).toHaveLength(1);
  tap.close();
});

test('of more than fifty the newest are sent, and the others counted', () => {
  const sent: FromCapture[] = [];
  const tap = createLiveTap((message) => sent.push(message));
  tap.subscribe(1, 1, []);
  for (let n = 0; n < 120; n++) tap.offer(event({ id: String(n) }));
  vi.advanceTimersByTime(250);
  const [message] = sent;
  expect(message).toMatchObject({ skipped: 70 });
  expect(message?.kind === 'live' && message.events.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 50 }, (_, index) => 70 + index),
  );
  tap.close();
});

test('the tap is not watched after the last unsubscribe', () => {
  const tap = createLiveTap(() => {});
  tap.subscribe(1, 1, []);
  expect(tap.isWatched).toBe(true);
  tap.unsubscribe(1);
  expect(tap.isWatched).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

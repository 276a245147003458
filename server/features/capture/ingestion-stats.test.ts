import { expect, test } from 'vitest';
import { createIngestionStats, type RequestNote } from './ingestion-stats.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 9);

function statsAt(start = START) {
  let now = start;
  const stats = createIngestionStats(() => now);
  return { stats, pass: (ms: number) => (now += ms) };
}

const note = (more: Partial<RequestNote>): RequestNote => ({
  at: START,
  method: 'POST',
  path: '/batch',
  status: 200,
  outcome: 'stored',
  events: 1,
  code: null,
  detail: null,
  origin: null,
  lib: '',
  keyHint: null,
  ...more,
});

test('the report has the last sixty minutes, oldest first, quiet ones as zeros', () => {
  const { stats, pass } = statsAt();
  stats.count({ projectId: 1, received: 3, stored: 2, duplicates: 1, inspected: 0 });
  pass(59 * MINUTE);
  stats.count({ projectId: 1, received: 5, stored: 5, duplicates: 0, inspected: 0 });
  const { minutes } = stats.report(1);
  expect(minutes).toHaveLength(60);
  expect(minutes[0]).toMatchObject({ minute: START, received: 3, stored: 2, duplicates: 1 });
  expect(minutes[30]).toMatchObject({ received: 0 });
  expect(minutes[59]).toMatchObject({ received: 5 });
  pass(MINUTE);
  expect(stats.report(1).minutes[0]).toMatchObject({ received: 0 });
});

test('events are counted by the library that each names, also when a request mixes them', () => {
  const { stats } = statsAt();
  const web = { lib: 'web', libVersion: '1' };
  const fourOfWeb = { ...web, count: 4 };
  const node = { lib: 'posthog-node', libVersion: '5' };
  stats.libraries(1, [web, fourOfWeb, node, web], 'received');
  stats.libraries(1, [web, node], 'stored');
  stats.drop(1, { ...web, reason: 'missing_event_name', event: '', count: 1 });
  const rows = Object.fromEntries(stats.report(1).libraries.map((row) => [row.lib, row]));
  expect(rows['web']).toMatchObject({ received: 6, stored: 1, dropped: 1 });
  expect(rows['posthog-node']).toMatchObject({ received: 1, stored: 1, dropped: 0 });
});

test('drops are counted by reason and library, with when and an example', () => {
  const { stats, pass } = statsAt();
  const dropped = { reason: 'missing_distinct_id', lib: 'web', libVersion: '1', event: 'first' } as const;
  stats.drop(1, { ...dropped, count: 1 });
  pass(5);
  stats.drop(1, { ...dropped, event: 'second', count: 3 });
  expect(stats.report(1).drops).toEqual([
    { ...omitEvent(dropped), count: 4, firstSeen: START, lastSeen: START + 5, sampleEvent: 'second' },
  ]);
});

test('data that is accepted and not stored is counted by kind, for its project only', () => {
  const { stats, pass } = statsAt();
  stats.notKept(1, { kind: 'session recording', count: 3, bytes: 900 });
  pass(5);
  stats.notKept(1, { kind: 'session recording', count: 1, bytes: 100 });
  stats.notKept(1, { kind: 'logs', count: 7, bytes: 70 });
  expect(stats.report(1).notKept).toEqual([
    { kind: 'session recording', count: 4, bytes: 1_000, lastSeen: START + 5 },
    { kind: 'logs', count: 7, bytes: 70, lastSeen: START + 5 },
  ]);
  expect(stats.report(2).notKept).toEqual([]);
});

test('a project lists its own requests and those with unknown keys, newest first', () => {
  const { stats } = statsAt();
  stats.note(1, note({ at: START + 1, path: '/mine' }));
  stats.note(2, note({ at: START + 2, path: '/foreign' }));
  stats.note(null, note({ at: START + 3, path: '/stranger', outcome: 'refused', status: 401 }));
  const { requests, minutes } = stats.report(1);
  expect(requests.map((request) => request.path)).toEqual(['/stranger', '/mine']);
  expect(minutes.at(-1)).toMatchObject({ refused: 1 });
});

test('stored requests are listed once a second, so that refused ones stay visible', () => {
  const { stats } = statsAt();
  expect(stats.isStoredNoteDue(1, START)).toBe(true);
  stats.note(1, note({ at: START }));
  expect(stats.isStoredNoteDue(1, START + 999)).toBe(false);
  expect(stats.isStoredNoteDue(1, START + 1_000)).toBe(true);
});

test('the memory of requests is bounded', () => {
  const { stats } = statsAt();
  for (let n = 0; n < 500; n++) stats.note(1, note({ at: START + n, outcome: 'dropped' }));
  const { requests } = stats.report(1);
  expect(requests).toHaveLength(50);
  expect(requests[0]!.at).toBe(START + 499);
});

function omitEvent<T extends { event: string }>({ event: _, ...rest }: T): Omit<T, 'event'> {
  return rest;
}

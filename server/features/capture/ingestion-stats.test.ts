import { expect, test } from 'vitest';
import { createIngestionStats, type RequestNote } from './ingestion-stats.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 9);

function ledgerAt(start = START) {
  let now = start;
  const ledger = createIngestionStats(() => now);
  return { ledger, pass: (ms: number) => (now += ms) };
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

test('the report holds the last sixty minutes, oldest first, quiet ones as zeros', () => {
  const { ledger, pass } = ledgerAt();
  ledger.count({ projectId: 1, received: 3, stored: 2, duplicates: 1, inspected: 0 });
  pass(59 * MINUTE);
  ledger.count({ projectId: 1, received: 5, stored: 5, duplicates: 0, inspected: 0 });
  const { minutes } = ledger.report(1);
  expect(minutes).toHaveLength(60);
  expect(minutes[0]).toMatchObject({ minute: START, received: 3, stored: 2, duplicates: 1 });
  expect(minutes[30]).toMatchObject({ received: 0 });
  expect(minutes[59]).toMatchObject({ received: 5 });
  pass(MINUTE);
  expect(ledger.report(1).minutes[0]).toMatchObject({ received: 0 });
});

test('events are counted by the library that each names, also when a request mixes them', () => {
  const { ledger } = ledgerAt();
  const web = { lib: 'web', libVersion: '1' };
  const fourOfWeb = { ...web, count: 4 };
  const node = { lib: 'posthog-node', libVersion: '5' };
  ledger.libraries(1, [web, fourOfWeb, node, web], 'received');
  ledger.libraries(1, [web, node], 'stored');
  ledger.drop(1, { ...web, reason: 'missing_event_name', event: '', count: 1 });
  const rows = Object.fromEntries(ledger.report(1).libraries.map((row) => [row.lib, row]));
  expect(rows['web']).toMatchObject({ received: 6, stored: 1, dropped: 1 });
  expect(rows['posthog-node']).toMatchObject({ received: 1, stored: 1, dropped: 0 });
});

test('drops are counted by reason and library, with when and an example', () => {
  const { ledger, pass } = ledgerAt();
  const dropped = { reason: 'missing_distinct_id', lib: 'web', libVersion: '1', event: 'first' } as const;
  ledger.drop(1, { ...dropped, count: 1 });
  pass(5);
  ledger.drop(1, { ...dropped, event: 'second', count: 3 });
  expect(ledger.report(1).drops).toEqual([
    { ...omitEvent(dropped), count: 4, firstSeen: START, lastSeen: START + 5, sampleEvent: 'second' },
  ]);
});

test('what is answered as accepted and not kept is counted by kind, for its project alone', () => {
  const { ledger, pass } = ledgerAt();
  ledger.notKept(1, { kind: 'session recording', count: 3, bytes: 900 });
  pass(5);
  ledger.notKept(1, { kind: 'session recording', count: 1, bytes: 100 });
  ledger.notKept(1, { kind: 'logs', count: 7, bytes: 70 });
  expect(ledger.report(1).notKept).toEqual([
    { kind: 'session recording', count: 4, bytes: 1_000, lastSeen: START + 5 },
    { kind: 'logs', count: 7, bytes: 70, lastSeen: START + 5 },
  ]);
  expect(ledger.report(2).notKept).toEqual([]);
});

test('a project sees its own requests and those whose key belongs to nobody, newest first', () => {
  const { ledger } = ledgerAt();
  ledger.note(1, note({ at: START + 1, path: '/mine' }));
  ledger.note(2, note({ at: START + 2, path: '/foreign' }));
  ledger.note(null, note({ at: START + 3, path: '/stranger', outcome: 'refused', status: 401 }));
  const { requests, minutes } = ledger.report(1);
  expect(requests.map((request) => request.path)).toEqual(['/stranger', '/mine']);
  expect(minutes.at(-1)).toMatchObject({ refused: 1 });
});

test('stored requests are noted once a second, so that refused ones stay in sight', () => {
  const { ledger } = ledgerAt();
  expect(ledger.isStoredNoteDue(1, START)).toBe(true);
  ledger.note(1, note({ at: START }));
  expect(ledger.isStoredNoteDue(1, START + 999)).toBe(false);
  expect(ledger.isStoredNoteDue(1, START + 1_000)).toBe(true);
});

test('the memory of requests is bounded', () => {
  const { ledger } = ledgerAt();
  for (let n = 0; n < 500; n++) ledger.note(1, note({ at: START + n, outcome: 'dropped' }));
  const { requests } = ledger.report(1);
  expect(requests).toHaveLength(50);
  expect(requests[0]!.at).toBe(START + 499);
});

function omitEvent<T extends { event: string }>({ event: _, ...rest }: T): Omit<T, 'event'> {
  return rest;
}

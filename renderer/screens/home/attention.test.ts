import { expect, test } from 'vitest';
import type { IngestionReport } from '../../../server/features/ingestion/ingestion.contract.ts';
import { attentionOf, type AttentionSources } from './attention.ts';

const QUIET: AttentionSources = {
  projectId: 1,
  report: { dropped: 0, refused: 0, dropped_by_reason: [] },
  forwarding: null,
  alerts: [],
  failed: [],
  stopped: [],
  staleFlags: [],
  staleCount: 0,
};

function drop(reason: string, count: number): IngestionReport['dropped_by_reason'][number] {
  return { reason, lib: 'web', lib_version: '1', count, first_seen: '', last_seen: '', sample_event: '' };
}

const failure = (id: number, dashboards: number[] = []) => ({
  id,
  short_id: `short${id}`,
  name: `Question ${id}`,
  dashboards,
  message: 'It took too long.',
  failed_at: '2026-11-20T09:30:00Z',
});

const titles = (sources: Partial<AttentionSources>) =>
  attentionOf({ ...QUIET, ...sources }).map(({ title }) => title);

test('the list is empty while there are no problems, and before the report is loaded', () => {
  expect(titles({})).toEqual([]);
  expect(titles({ report: null })).toEqual([]);
});

test('forwarding is named when it has stopped or fails, and not while it works or is paused', () => {
  const of = (state: 'stopped' | 'retrying' | 'up_to_date' | 'paused') =>
    titles({ forwarding: { state, host: 'https://eu.i.posthog.com', problem: 'Refused.', waiting: 1 } });
  expect(of('stopped')).toEqual(['Forwarding has stopped, 1 event waiting']);
  expect(of('retrying')).toEqual(['Forwarding fails, 1 event waiting']);
  expect([of('up_to_date'), of('paused')]).toEqual([[], []]);
});

test('is sorted by severity: lost events, failed queries, stopped events, unused flags', () => {
  expect(
    titles({
      report: {
        dropped: 27,
        refused: 1,
        dropped_by_reason: [drop('missing_event_name', 7), drop('missing_distinct_id', 20)],
      },
      failed: [failure(1, [4]), failure(2)],
      stopped: [{ event: 'receipt scanned', now: 3, before: 41 }],
      staleFlags: [{ id: 9, key: 'old-checkout' }],
      staleCount: 1,
    }),
  ).toEqual([
    '27 events dropped in the last hour',
    '1 request rejected in the last hour',
    'A tile failed: Question 1',
    'An insight failed: Question 2',
    'receipt scanned has almost stopped',
    'old-checkout looks unused',
  ]);
});

test('an alert has its first breach as text, and links to the alert on its insight', () => {
  const alert = {
    id: 'a1',
    name: 'Few signups',
    state: 'Firing',
    insight: { short_id: 'abc', name: 'Signups', derived_name: null, query: { kind: 'TrendsQuery' } },
    checks: [{ triggered_metadata: { breaches: ['signup is 2.'], error: null, webhook: null } }],
  } as unknown as AttentionSources['alerts'][number];
  expect(attentionOf({ ...QUIET, alerts: [alert] })).toMatchObject([
    {
      tone: 'red',
      title: 'Alert: Few signups',
      text: 'signup is 2.',
      to: { name: 'insight', params: { insightId: 'abc' }, query: { alert: 'a1' } },
    },
  ]);
});

test('lost events have the most frequent drop reason', () => {
  const dropped_by_reason = [drop('missing_event_name', 7), drop('missing_distinct_id', 20)];
  const [first] = attentionOf({ ...QUIET, report: { dropped: 27, refused: 0, dropped_by_reason } });
  expect(first!.text).toBe('No distinct_id');
});

test('many problems of a kind are one count', () => {
  expect(titles({ failed: [1, 2, 3, 4, 5].map((id) => failure(id)) }).at(-1)).toBe('2 more insights failed');
  const staleFlags = ['a', 'b', 'c', 'd'].map((key, id) => ({ id, key }));
  const [stale] = attentionOf({ ...QUIET, staleFlags, staleCount: 12 });
  expect(stale).toMatchObject({
    title: '12 flags look unused',
    text: 'a, b, c',
    to: { query: { state: 'STALE' } },
  });
});

test('a stopped event links to its chart', () => {
  const [one] = attentionOf({ ...QUIET, stopped: [{ event: 'a "b"', now: 0, before: 41 }] });
  expect(one!.text).toBe('None today, 41 by this time a week ago');
  const { query } = one!.to as { query: { q: string } };
  expect(JSON.parse(query.q)).toMatchObject({ series: [{ event: 'a "b"' }] });
});

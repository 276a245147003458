import { describe, expect, test } from 'vitest';
import type { IngestionReport } from '../../server/features/ingestion/ingestion.contract.ts';
import { asidesOf, librariesOf, pipelineOf, verdictOf } from './ingestion-labels.ts';

const NOW = Date.parse('2026-11-19T14:32:08Z');

const aReport = (change: Partial<IngestionReport> = {}): IngestionReport => ({
  since: '2026-11-19T13:32:08Z',
  window_minutes: 60,
  received: 18_742,
  stored: 18_681,
  duplicates: 13,
  inspected: 0,
  dropped: 48,
  refused: 0,
  dropped_by_reason: [],
  accepted_not_kept: [],
  libraries: [],
  requests: [],
  queue: { events: 0, bytes: 0, limit_bytes: 1 },
  commit: { count: 900, p50_ms: 4.2, p95_ms: 11, max_ms: 40, events_min: 1, events_max: 64 },
  loop_delay_ms: { p50: 1, p99: 2, max: 3 },
  per_minute: [],
  store: { file_bytes: 1.8e9, wal_bytes: 4e7, events: 1_284_906, last_checkpoint: '2026-11-19T14:30:08Z' },
  ...change,
});

describe('the verdict', () => {
  test('shows the share that was stored, with duplicates counted as stored, and what happened to the rest', () => {
    expect(verdictOf(aReport())).toBe(
      '99.74% were stored. 48 were accepted with status 200, as the API requires, and dropped.',
    );
    expect(verdictOf(aReport({ dropped: 1 }))).toContain('One was accepted');
  });

  test('does not count inspected events as stored', () => {
    expect(verdictOf(aReport({ received: 7, stored: 0, duplicates: 0, dropped: 0, inspected: 7 }))).toBe(
      '7 events were shown live only: this project is set to inspect only.',
    );
    expect(verdictOf(aReport({ received: 10, stored: 8, duplicates: 0, dropped: 1, inspected: 1 }))).toBe(
      '80% were stored. 1 event was shown live only: this project is set to inspect only. One was accepted with status 200, as the API requires, and dropped.',
    );
  });

  test('is short when no event was lost, and when none was received', () => {
    expect(verdictOf(aReport({ dropped: 0, duplicates: 0 }))).toBe('Every event was stored.');
    expect(verdictOf(aReport({ dropped: 0 }))).toBe('Every event was stored once.');
    expect(verdictOf(aReport({ dropped: 0, duplicates: 0, refused: 6 }))).toBe(
      'Every event that was accepted was stored.',
    );
    expect(verdictOf(aReport({ received: 0 }))).toBe('No events were sent in this period.');
  });
});

test('duplicates and rejected requests are mentioned only when there are any', () => {
  expect(asidesOf(aReport({ duplicates: 0 }))).toEqual([]);
  expect(asidesOf(aReport({ duplicates: 1, refused: 2 }))).toEqual([
    '1 event was sent twice because SDKs retry, and is stored once.',
    '2 requests were rejected. Connect lists the latest with the reason.',
  ]);
});

describe('the pipeline', () => {
  const valuesOf = (report: IngestionReport) => pipelineOf(report, NOW).map(([, value]) => value);

  test('has units everywhere; the file size includes the write-ahead log', () => {
    expect(valuesOf(aReport())).toEqual([
      '0 events',
      '4 ms, 11 ms',
      '1 to 64',
      '1.84 GB',
      '1,284,906',
      '2 min ago',
    ]);
  });

  test('has no figures before the first commit', () => {
    const empty = { count: 0, p50_ms: 0, p95_ms: 0, max_ms: 0, events_min: 0, events_max: 0 };
    const store = { file_bytes: 12_288, wal_bytes: 0, events: 0, last_checkpoint: null };
    expect(valuesOf(aReport({ commit: empty, store }))).toEqual([
      '0 events',
      'none yet',
      'none yet',
      '12.3 kB',
      '0',
      'none yet',
    ]);
  });
});

test('libraries are sorted by their events, dropped ones included', () => {
  const aLibrary = (lib: string, stored: number, dropped: number) => ({
    lib,
    lib_version: lib ? '1.0.0' : '',
    received: stored + dropped,
    stored,
    inspected: 0,
    dropped,
    last_seen: '2026-11-19T14:30:08Z',
  });
  expect(librariesOf(aReport({ libraries: [aLibrary('web', 5, 0), aLibrary('', 0, 9)] }))).toEqual([
    { name: 'unknown sender', stored: 0, dropped: 9 },
    { name: 'web 1.0.0', stored: 5, dropped: 0 },
  ]);
});

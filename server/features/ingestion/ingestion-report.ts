import type { LoopDelay } from '../../lib/loop-delay.ts';
import type { CaptureReport } from '../capture/index.ts';
import type { IngestionReport } from './ingestion.contract.ts';

/** The account of capture in the words of the wire. */
export function ingestionReportOf(report: CaptureReport, loopDelay: LoopDelay): IngestionReport {
  const { ingestion: stats, store } = report;
  const total = (pick: (minute: (typeof stats.minutes)[number]) => number): number =>
    stats.minutes.reduce((sum, minute) => sum + pick(minute), 0);
  return {
    since: iso(stats.since),
    window_minutes: stats.minutes.length,
    received: total((minute) => minute.received),
    stored: total((minute) => minute.stored),
    duplicates: total((minute) => minute.duplicates),
    inspected: total((minute) => minute.inspected),
    dropped: total((minute) => minute.dropped),
    refused: total((minute) => minute.refused),
    dropped_by_reason: stats.drops.map((drop) => ({
      reason: drop.reason,
      lib: drop.lib,
      lib_version: drop.libVersion,
      count: drop.count,
      first_seen: iso(drop.firstSeen),
      last_seen: iso(drop.lastSeen),
      sample_event: drop.sampleEvent,
    })),
    accepted_not_kept: stats.notKept.map(({ kind, count, bytes, lastSeen }) => ({
      kind,
      count,
      bytes,
      last_seen: iso(lastSeen),
    })),
    libraries: stats.libraries.map((library) => ({
      lib: library.lib,
      lib_version: library.libVersion,
      received: library.received,
      stored: library.stored,
      inspected: library.inspected,
      dropped: library.dropped,
      last_seen: iso(library.lastSeen),
    })),
    requests: stats.requests.map(({ at, keyHint, ...note }) => ({
      ...note,
      at: iso(at),
      key_hint: keyHint,
    })),
    queue: { events: report.waitingRows, bytes: report.queue.bytes, limit_bytes: report.queue.limitBytes },
    commit: {
      count: store.commit.count,
      p50_ms: store.commit.p50Ms,
      p95_ms: store.commit.p95Ms,
      max_ms: store.commit.maxMs,
      events_min: store.commit.eventsMin,
      events_max: store.commit.eventsMax,
    },
    loop_delay_ms: loopDelay,
    per_minute: stats.minutes.map(({ minute, received, stored, inspected, dropped }) => ({
      minute: iso(minute),
      received,
      stored,
      inspected,
      dropped,
    })),
    store: {
      file_bytes: store.fileBytes,
      wal_bytes: store.walBytes,
      events: store.events,
      last_checkpoint: store.lastCheckpoint === null ? null : iso(store.lastCheckpoint),
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

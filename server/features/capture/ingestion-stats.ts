import type { Clock } from '../../lib/clock.ts';
import type { DropRun } from './drop-runs.ts';
import type { DropReason } from './normalize.ts';

/** Minutes shown by the Ingestion screen. */
const WINDOW_MINUTES = 60;
const MINUTE_MS = 60_000;
/** Memory limits: rows of each kind; the oldest are dropped. */
const MAX_REQUESTS = 50;
const MAX_LIBRARIES = 200;
const MAX_DROPS = 500;
/** Minimum interval between two notes of stored requests, so that they do not displace rejected ones. */
const STORED_NOTE_MS = 1_000;

export interface RequestNote {
  at: number;
  method: string;
  path: string;
  status: number;
  outcome: 'stored' | 'inspected' | 'dropped' | 'refused' | 'preflight';
  events: number;
  code: string | null;
  detail: string | null;
  origin: string | null;
  lib: string;
  keyHint: string | null;
}

/** Event counts of one accepted request. */
export interface RequestCount {
  projectId: number;
  received: number;
  stored: number;
  duplicates: number;
  /** Shown but not stored: the project is inspect-only. */
  inspected: number;
}

export interface LibraryCount {
  lib: string;
  libVersion: string;
  received: number;
  stored: number;
  inspected: number;
  dropped: number;
  lastSeen: number;
}

export interface DropCount {
  reason: DropReason;
  lib: string;
  libVersion: string;
  count: number;
  firstSeen: number;
  lastSeen: number;
  sampleEvent: string;
}

export interface MinuteCount {
  /** Unix ms of the minute's start. */
  minute: number;
  received: number;
  stored: number;
  duplicates: number;
  inspected: number;
  dropped: number;
  refused: number;
}

/** Data that is accepted as usual but not stored (ingestion contract 2.2, 3.7). */
export type NotKeptKind = 'session recording' | 'logs';

/** Since the server started. */
export interface NotKeptCount {
  kind: NotKeptKind;
  /** Snapshots or lines. */
  count: number;
  /** As they were sent. */
  bytes: number;
  lastSeen: number;
}

/** The library that sent an event. */
export interface SentBy {
  lib: string;
  libVersion: string;
  /** Number of events; default 1. */
  count?: number;
}

/** Statistics of one project over the last hour. */
export interface IngestionStatsReport {
  since: number;
  minutes: MinuteCount[];
  libraries: LibraryCount[];
  drops: DropCount[];
  notKept: NotKeptCount[];
  requests: RequestNote[];
}

interface ProjectStats {
  minutes: Map<number, MinuteCount>;
  libraries: Map<string, LibraryCount>;
  drops: Map<string, DropCount>;
  notKept: Map<NotKeptKind, NotKeptCount>;
  requests: RequestNote[];
  lastStoredNote: number;
}

/**
 * In-memory statistics of received requests and events. The API responds 200 to an event that it drops; here its
 * developer can see why. Requests with an unknown key belong to no project and are shown in all.
 */
export interface IngestionStats {
  count(request: RequestCount): void;
  /** Counts events by library. */
  libraries(projectId: number, events: readonly SentBy[], what: 'received' | 'stored' | 'inspected'): void;
  drop(projectId: number, run: DropRun): void;
  /** Counts data that was accepted and not stored. */
  notKept(projectId: number, what: { kind: NotKeptKind; count: number; bytes: number }): void;
  /** Whether a stored request should be noted: at most one a second, so that they do not displace rejected ones. */
  isStoredNoteDue(projectId: number, at: number): boolean;
  note(projectId: number | null, note: RequestNote): void;
  report(projectId: number): IngestionStatsReport;
  /** Events of all projects that were received in about the last 60 seconds. */
  perMinute(): number;
  /** Drops the statistics of a deleted project. */
  forget(projectId: number): void;
}

export function createIngestionStats(clock: Clock): IngestionStats {
  const since = clock();
  const byProject = new Map<number, ProjectStats>();
  const unknownProject = newProjectStats();

  function statsOf(projectId: number | null): ProjectStats {
    if (projectId === null) return unknownProject;
    let stats = byProject.get(projectId);
    if (stats === undefined) byProject.set(projectId, (stats = newProjectStats()));
    return stats;
  }

  function minuteOf(stats: ProjectStats): MinuteCount {
    const minute = Math.floor(clock() / MINUTE_MS) * MINUTE_MS;
    let counts = stats.minutes.get(minute);
    if (counts === undefined) {
      counts = emptyMinute(minute);
      stats.minutes.set(minute, counts);
      dropOldest(stats.minutes, WINDOW_MINUTES + 1);
    }
    return counts;
  }

  function libraryOf(stats: ProjectStats, lib: string, libVersion: string): LibraryCount {
    const key = `${lib}\n${libVersion}`;
    let row = stats.libraries.get(key);
    if (row === undefined) {
      row = { lib, libVersion, received: 0, stored: 0, inspected: 0, dropped: 0, lastSeen: 0 };
      stats.libraries.set(key, row);
      dropOldest(stats.libraries, MAX_LIBRARIES);
    }
    row.lastSeen = clock();
    return row;
  }

  return {
    count({ projectId, received, stored, duplicates, inspected }) {
      const minute = minuteOf(statsOf(projectId));
      minute.received += received;
      minute.stored += stored;
      minute.duplicates += duplicates;
      minute.inspected += inspected;
    },
    libraries(projectId, events, what) {
      const stats = statsOf(projectId);
      for (let from = 0; from < events.length;) {
        const { lib, libVersion } = events[from]!;
        // Events of a request mostly come from one library, so a run of them is counted together.
        let count = 0;
        for (; from < events.length; from++) {
          const next = events[from]!;
          if (next.lib !== lib || next.libVersion !== libVersion) break;
          count += next.count ?? 1;
        }
        libraryOf(stats, lib, libVersion)[what] += count;
      }
    },
    drop(projectId, { reason, event, lib, libVersion, count }) {
      const stats = statsOf(projectId);
      const now = clock();
      minuteOf(stats).dropped += count;
      libraryOf(stats, lib, libVersion).dropped += count;
      const key = `${reason}\n${lib}\n${libVersion}`;
      let row = stats.drops.get(key);
      if (row === undefined) {
        row = { reason, lib, libVersion, count: 0, firstSeen: now, lastSeen: now, sampleEvent: event };
        stats.drops.set(key, row);
        dropOldest(stats.drops, MAX_DROPS);
      }
      row.count += count;
      row.lastSeen = now;
      row.sampleEvent = event;
    },
    notKept(projectId, { kind, count, bytes }) {
      const { notKept } = statsOf(projectId);
      const before = notKept.get(kind) ?? { count: 0, bytes: 0 };
      notKept.set(kind, {
        kind,
        count: before.count + count,
        bytes: before.bytes + bytes,
        lastSeen: clock(),
      });
    },
    isStoredNoteDue: (projectId, at) => at - statsOf(projectId).lastStoredNote >= STORED_NOTE_MS,
    note(projectId, note) {
      const stats = statsOf(projectId);
      if (note.outcome === 'refused') minuteOf(stats).refused++;
      if (note.outcome === 'stored') stats.lastStoredNote = note.at;
      stats.requests.push(note);
      if (stats.requests.length > MAX_REQUESTS) stats.requests.shift();
    },
    forget: (projectId) => void byProject.delete(projectId),
    perMinute() {
      const now = clock();
      const current = Math.floor(now / MINUTE_MS) * MINUTE_MS;
      // Of the minute before, the part that is not older than 60 seconds, as if its events had come evenly.
      const share = 1 - (now - current) / MINUTE_MS;
      let sum = 0;
      for (const { minutes } of byProject.values())
        sum +=
          (minutes.get(current)?.received ?? 0) + (minutes.get(current - MINUTE_MS)?.received ?? 0) * share;
      return Math.round(sum);
    },
    report(projectId) {
      const stats = statsOf(projectId);
      return {
        since,
        minutes: lastMinutes(stats, unknownProject, clock()),
        libraries: [...stats.libraries.values()].sort((a, b) => b.lastSeen - a.lastSeen),
        drops: [...stats.drops.values()].sort((a, b) => b.count - a.count),
        notKept: [...stats.notKept.values()],
        requests: [...stats.requests, ...unknownProject.requests]
          .sort((a, b) => b.at - a.at)
          .slice(0, MAX_REQUESTS),
      };
    },
  };
}

function newProjectStats(): ProjectStats {
  return {
    minutes: new Map(),
    libraries: new Map(),
    drops: new Map(),
    notKept: new Map(),
    requests: [],
    lastStoredNote: 0,
  };
}

function emptyMinute(minute: number): MinuteCount {
  return { minute, received: 0, stored: 0, duplicates: 0, inspected: 0, dropped: 0, refused: 0 };
}

/** The last 60 minutes, oldest first, the quiet ones as zeros; refusals of unknown keys count for every project. */
function lastMinutes(stats: ProjectStats, unknownProject: ProjectStats, now: number): MinuteCount[] {
  const current = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: WINDOW_MINUTES }, (_, index) => {
    const minute = current - (WINDOW_MINUTES - 1 - index) * MINUTE_MS;
    const own = stats.minutes.get(minute) ?? emptyMinute(minute);
    return { ...own, refused: own.refused + (unknownProject.minutes.get(minute)?.refused ?? 0) };
  });
}

function dropOldest(map: Map<unknown, unknown>, keep: number): void {
  if (map.size > keep) map.delete(map.keys().next().value);
}

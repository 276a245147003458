import type { Clock } from '../../lib/clock.ts';
import type { DropRun } from './drop-runs.ts';
import type { DropReason } from './normalize.ts';

/** Minutes of the window that the Ingestion screen shows. */
const WINDOW_MINUTES = 60;
const MINUTE_MS = 60_000;
/** Bounds of memory: rows of each kind that are kept, oldest out. */
const REQUESTS_KEPT = 50;
const LIBRARIES_KEPT = 200;
const DROPS_KEPT = 500;
/** Requests that were simply stored are noted at most so often, so that refused ones are not washed away. */
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

/** What became of the events of one request that was let in. */
export interface RequestCount {
  projectId: number;
  received: number;
  stored: number;
  duplicates: number;
  /** Shown and not stored: the project is for inspection only. */
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

/** What SDKs send on request, is answered as usual, and is not kept here (ingestion contract 2.2, 3.7). */
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

/** An event, as far as its sender goes. */
export interface SentBy {
  lib: string;
  libVersion: string;
  /** So many alike; 1 unless said. */
  count?: number;
}

/** The account of one project over the last hour. */
export interface LedgerReport {
  since: number;
  minutes: MinuteCount[];
  libraries: LibraryCount[];
  drops: DropCount[];
  notKept: NotKeptCount[];
  requests: RequestNote[];
}

interface Book {
  minutes: Map<number, MinuteCount>;
  libraries: Map<string, LibraryCount>;
  drops: Map<string, DropCount>;
  notKept: Map<NotKeptKind, NotKeptCount>;
  requests: RequestNote[];
  lastStoredNote: number;
}

/**
 * The account of what arrived and what became of it, kept in memory: the API answers 200 to an event that it drops,
 * and here its developer sees why. Requests with an unknown key belong to no project and are shown to all.
 */
export interface Ledger {
  count(request: RequestCount): void;
  /** Counts events by the library that each of them names. */
  libraries(projectId: number, events: readonly SentBy[], what: 'received' | 'stored' | 'inspected'): void;
  drop(projectId: number, run: DropRun): void;
  /** Counts what was answered as accepted and is not kept. */
  notKept(projectId: number, what: { kind: NotKeptKind; count: number; bytes: number }): void;
  /** Whether a request that was simply stored is to be noted: one a second, so that refused ones are not washed away. */
  isStoredNoteDue(projectId: number, at: number): boolean;
  note(projectId: number | null, note: RequestNote): void;
  report(projectId: number): LedgerReport;
  /** Lets go of the account of a project that was deleted. */
  forget(projectId: number): void;
}

/** Makes an empty ledger. */
export function createLedger(clock: Clock): Ledger {
  const since = clock();
  const books = new Map<number, Book>();
  const strangers = newBook();

  function bookOf(projectId: number | null): Book {
    if (projectId === null) return strangers;
    let book = books.get(projectId);
    if (book === undefined) books.set(projectId, (book = newBook()));
    return book;
  }

  function minuteOf(book: Book): MinuteCount {
    const minute = Math.floor(clock() / MINUTE_MS) * MINUTE_MS;
    let counts = book.minutes.get(minute);
    if (counts === undefined) {
      counts = emptyMinute(minute);
      book.minutes.set(minute, counts);
      dropOldest(book.minutes, WINDOW_MINUTES + 1);
    }
    return counts;
  }

  function libraryOf(book: Book, lib: string, libVersion: string): LibraryCount {
    const key = `${lib}\n${libVersion}`;
    let row = book.libraries.get(key);
    if (row === undefined) {
      row = { lib, libVersion, received: 0, stored: 0, inspected: 0, dropped: 0, lastSeen: 0 };
      book.libraries.set(key, row);
      dropOldest(book.libraries, LIBRARIES_KEPT);
    }
    row.lastSeen = clock();
    return row;
  }

  return {
    count({ projectId, received, stored, duplicates, inspected }) {
      const minute = minuteOf(bookOf(projectId));
      minute.received += received;
      minute.stored += stored;
      minute.duplicates += duplicates;
      minute.inspected += inspected;
    },
    libraries(projectId, events, what) {
      const book = bookOf(projectId);
      for (let from = 0; from < events.length;) {
        const { lib, libVersion } = events[from]!;
        // The events of a request mostly come from one library: a run of them is counted at once.
        let count = 0;
        for (; from < events.length; from++) {
          const next = events[from]!;
          if (next.lib !== lib || next.libVersion !== libVersion) break;
          count += next.count ?? 1;
        }
        libraryOf(book, lib, libVersion)[what] += count;
      }
    },
    drop(projectId, { reason, event, lib, libVersion, count }) {
      const book = bookOf(projectId);
      const now = clock();
      minuteOf(book).dropped += count;
      libraryOf(book, lib, libVersion).dropped += count;
      const key = `${reason}\n${lib}\n${libVersion}`;
      let row = book.drops.get(key);
      if (row === undefined) {
        row = { reason, lib, libVersion, count: 0, firstSeen: now, lastSeen: now, sampleEvent: event };
        book.drops.set(key, row);
        dropOldest(book.drops, DROPS_KEPT);
      }
      row.count += count;
      row.lastSeen = now;
      row.sampleEvent = event;
    },
    notKept(projectId, { kind, count, bytes }) {
      const { notKept } = bookOf(projectId);
      const before = notKept.get(kind) ?? { count: 0, bytes: 0 };
      notKept.set(kind, {
        kind,
        count: before.count + count,
        bytes: before.bytes + bytes,
        lastSeen: clock(),
      });
    },
    isStoredNoteDue: (projectId, at) => at - bookOf(projectId).lastStoredNote >= STORED_NOTE_MS,
    note(projectId, note) {
      const book = bookOf(projectId);
      if (note.outcome === 'refused') minuteOf(book).refused++;
      if (note.outcome === 'stored') book.lastStoredNote = note.at;
      book.requests.push(note);
      if (book.requests.length > REQUESTS_KEPT) book.requests.shift();
    },
    forget: (projectId) => void books.delete(projectId),
    report(projectId) {
      const book = bookOf(projectId);
      return {
        since,
        minutes: lastMinutes(book, strangers, clock()),
        libraries: [...book.libraries.values()].sort((a, b) => b.lastSeen - a.lastSeen),
        drops: [...book.drops.values()].sort((a, b) => b.count - a.count),
        notKept: [...book.notKept.values()],
        requests: [...book.requests, ...strangers.requests]
          .sort((a, b) => b.at - a.at)
          .slice(0, REQUESTS_KEPT),
      };
    },
  };
}

function newBook(): Book {
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
function lastMinutes(book: Book, strangers: Book, now: number): MinuteCount[] {
  const current = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: WINDOW_MINUTES }, (_, index) => {
    const minute = current - (WINDOW_MINUTES - 1 - index) * MINUTE_MS;
    const own = book.minutes.get(minute) ?? emptyMinute(minute);
    return { ...own, refused: own.refused + (strangers.minutes.get(minute)?.refused ?? 0) };
  });
}

function dropOldest(map: Map<unknown, unknown>, keep: number): void {
  if (map.size > keep) map.delete(map.keys().next().value);
}

import type { ApiError } from '../../errors.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { RawCapture } from './capture-messages.ts';
import type { DropRun } from './drop-runs.ts';
import type { EventWarning } from './event-warnings.ts';
import type { Ledger, SentBy } from './ledger.ts';
import { liveEvent } from './live-event.ts';
import type { LiveTap } from './live-tap.ts';
import { keyHint } from './token.ts';

/** An event that is stored otherwise than it was sent. */
export interface Warned {
  row: EventRow;
  warnings: readonly EventWarning[];
}

/** How many events of a request ended how. */
export interface EventCounts {
  stored: number;
  duplicates: number;
  inspected: number;
  dropped: number;
}

/** Tells what became of requests and their events: to the ledger, to the warnings, and to those who watch. */
export interface IntakeAccount {
  /** Events that are not stored. */
  drop(projectId: number, source: string, run: DropRun): void;
  /**
   * Events that are stored, or shown and not kept, and the warnings about them. `libraries` counts them where `rows` are
   * only the last ones of many.
   */
  show(
    projectId: number,
    rows: readonly EventRow[],
    warned: readonly Warned[],
    what: Shown,
    libraries?: readonly SentBy[],
  ): void;
  /** A request that was answered 200. */
  finish(request: RawCapture, projectId: number, counts: EventCounts, lib: string): void;
  /** A request that was answered with an error; its `token` when it named one that is not known. */
  refuse(request: RawCapture, projectId: number | null, error: ApiError, token: string | null): void;
}

type Shown = 'stored' | 'inspected';

export function createIntakeAccount(parts: {
  ledger: Ledger;
  warnings: IngestionWarnings;
  live: LiveTap;
}): IntakeAccount {
  const { ledger, warnings, live } = parts;

  /** Of an event that is not kept, no id is kept either. */
  function warn(warned: readonly Warned[], what: Shown): void {
    for (const { row, warnings: said } of warned) {
      const { event, source, lib, libVersion } = row;
      for (const { type, details } of said) {
        if (what === 'stored') warnings.warnAbout(row, type, details);
        else warnings.warn(row.projectId, { type, source, lib, libVersion, sample: { event } });
      }
    }
  }

  return {
    drop(projectId, source, run) {
      const { reason, event, lib, libVersion, count } = run;
      ledger.drop(projectId, run);
      warnings.warn(projectId, { type: reason, source, lib, libVersion, sample: { event } }, count);
    },
    show(projectId, rows, warned, what, libraries = rows) {
      warn(warned, what);
      if (live.isWatched) for (const row of rows) live.offer(liveEvent(row));
      ledger.libraries(projectId, libraries, what);
    },
    finish(request, projectId, { stored, duplicates, inspected, dropped }, lib) {
      const received = stored + duplicates + inspected + dropped;
      ledger.count({ projectId, received, stored, duplicates, inspected });
      if (dropped === 0 && !ledger.isStoredNoteDue(projectId, request.receivedAt)) return;
      const outcome = dropped > 0 ? 'dropped' : inspected > 0 ? 'inspected' : 'stored';
      const said = { status: 200, outcome, events: received, code: null, detail: null } as const;
      ledger.note(projectId, { ...noteOf(request), ...said, lib, keyHint: null });
    },
    refuse(request, projectId, error, token) {
      ledger.note(projectId, {
        ...noteOf(request),
        status: error.status,
        outcome: 'refused',
        events: 0,
        code: error.body.code,
        detail: error.message,
        lib: '',
        keyHint: token === null ? null : keyHint(token),
      });
    },
  };
}

function noteOf(request: RawCapture): { at: number; method: string; path: string; origin: string | null } {
  return { at: request.receivedAt, method: request.method, path: request.path, origin: request.origin };
}

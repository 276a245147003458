import type { ApiError } from '../../errors.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { RawCapture, LiveEvent } from './capture-messages.ts';
import type { DropRun } from './drop-runs.ts';
import type { EventWarning } from './event-warnings.ts';
import type { IngestionStats, SentBy } from './ingestion-stats.ts';
import type { LiveTap } from './live-tap.ts';
import { keyHint } from './token.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';

/** An event as the live view shows it. */
function liveEvent(row: EventRow): LiveEvent {
  return {
    projectId: row.projectId,
    id: row.uuid,
    event: row.event,
    distinctId: row.distinctId,
    timestamp: row.timestamp,
    receivedAt: row.receivedAt,
    properties: textOfJson(row.properties),
    elementsChain: row.elementsChain ?? '',
    lib: row.lib,
    libVersion: row.libVersion,
  };
}

/** An event that was changed before it was stored. */
export interface Warned {
  row: EventRow;
  warnings: readonly EventWarning[];
}

/** Event counts of a request by outcome. */
export interface EventCounts {
  stored: number;
  duplicates: number;
  inspected: number;
  dropped: number;
}

/** Reports the outcome of requests and their events to statistics, ingestion warnings and the live view. */
export interface IntakeAccount {
  /** Events that are not stored. */
  drop(projectId: number, source: string, run: DropRun): void;
  /**
   * Events that are stored or only inspected, and warnings about them. `libraries` counts them when `rows` are only
   * the last of many.
   */
  show(
    projectId: number,
    rows: readonly EventRow[],
    warned: readonly Warned[],
    what: Shown,
    libraries?: readonly SentBy[],
  ): void;
  /** A request with response 200. */
  finish(request: RawCapture, projectId: number, counts: EventCounts, lib: string): void;
  /** A request with an error response; `token` when it is unknown. */
  refuse(request: RawCapture, projectId: number | null, error: ApiError, token: string | null): void;
}

type Shown = 'stored' | 'inspected';

export function createIntakeAccount(parts: {
  stats: IngestionStats;
  warnings: IngestionWarnings;
  live: LiveTap;
}): IntakeAccount {
  const { stats, warnings, live } = parts;

  /** Warnings of an event that is not stored contain no ID. */
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
      stats.drop(projectId, run);
      warnings.warn(projectId, { type: reason, source, lib, libVersion, sample: { event } }, count);
    },
    show(projectId, rows, warned, what, libraries = rows) {
      warn(warned, what);
      if (live.isWatched) for (const row of rows) live.offer(liveEvent(row));
      stats.libraries(projectId, libraries, what);
    },
    finish(request, projectId, { stored, duplicates, inspected, dropped }, lib) {
      const received = stored + duplicates + inspected + dropped;
      stats.count({ projectId, received, stored, duplicates, inspected });
      if (dropped === 0 && !stats.isStoredNoteDue(projectId, request.receivedAt)) return;
      const outcome = dropped > 0 ? 'dropped' : inspected > 0 ? 'inspected' : 'stored';
      const said = { status: 200, outcome, events: received, code: null, detail: null } as const;
      stats.note(projectId, { ...noteOf(request), ...said, lib, keyHint: null });
    },
    refuse(request, projectId, error, token) {
      stats.note(projectId, {
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

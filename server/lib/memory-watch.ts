/** Bytes beyond the memory limit of the database that the process may use. */
export const MEMORY_HEADROOM = 300 * 1_048_576;
/** What a query may add where the process is above that already, without a query. */
const GROWTH = 100 * 1_048_576;
/** So far below the limit the database frees what it holds only to read it faster, before a query has to suffer. */
const SHED_BELOW = 100 * 1_048_576;
/** Looks after an interrupt until the process is ended if that did not help; fewer where memory grows on. */
const LOOKS_TO_RECOVER = 60;
const LOOKS_TO_STOP = 20;

/** What one look at the process found. */
export interface Look {
  /** Planned milliseconds since the look before: those of a suspended machine do not count as silence. */
  intervalMs: number;
  /** Resident bytes. */
  rss: number;
  /** A number that the main thread raises several times a second. */
  beat: number;
  /** Whether an analytic statement runs. */
  isQuerying: boolean;
}

export type Verdict = 'ok' | 'shed' | 'interrupt' | 'end-memory' | 'end-silent';

/**
 * Judges looks at the process, taken at equal intervals while a statement runs: the database sheds its cache when the process comes close to
 * `maxBytes` while a statement runs, statements are interrupted when it has outgrown that all the same, and the process
 * is ended when that does not help or the main thread stays silent.
 */
export function createMemoryWatch(options: {
  maxBytes: number;
  /** Without a beat for so long the process is ended. */
  silentMs: number;
}): (look: Look) => Verdict {
  let allowed = options.maxBytes;
  let lastBeat: number | null = null;
  let silent = 0;
  let since: number | null = null;
  let hasShed = false;

  return ({ intervalMs, rss, beat, isQuerying }) => {
    silent = beat === lastBeat ? silent + intervalMs : 0;
    lastBeat = beat;
    if (silent >= options.silentMs) return 'end-silent';
    if (!isQuerying) {
      // What the process holds without a query no interrupt gives back.
      allowed = Math.max(options.maxBytes, rss + GROWTH);
      since = null;
      return 'ok';
    }
    if (rss <= allowed) {
      since = null;
      const isClose = rss > allowed - SHED_BELOW;
      const sheds = isClose && !hasShed;
      hasShed = isClose;
      return sheds ? 'shed' : 'ok';
    }
    if (since === null) {
      since = 0;
      return 'interrupt';
    }
    since++;
    const isHopeless = since >= LOOKS_TO_RECOVER || (since >= LOOKS_TO_STOP && rss > allowed + 4 * GROWTH);
    return isHopeless ? 'end-memory' : 'ok';
  };
}

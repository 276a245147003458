import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { platform, uptime } from 'node:os';

/** What is kept beside the write-ahead log about it, so that a log that lost its end, or its file, is noticed. */
export interface LogMark {
  /** Which start of the machine it was written in: after a power cut a mark ahead of the log is no fault. */
  boot: string;
  /** Checkpoints of the database file when the log began; null where that cannot be read while DuckDB has the file. */
  checkpoints: number | null;
  /** Commits of this process since the log began. */
  commits: number;
  /** Bytes of the log after the last of them. */
  logBytes: number;
  /** ISO time of the last of them. */
  at: string;
}

export interface LogMarker {
  /** Runs what commits, and notes the length of the log after it, unless another commit is being written then. */
  around<T>(commit: () => Promise<T>): Promise<T>;
  /** Notes the log as it is now: after opening, and after a checkpoint. */
  note(): void;
  close(): void;
}

export const MARK_ENDING = '.mark';
/** Written in place, by one write: a longer text would not cover a shorter one. */
const MARK_BYTES = 256;
/** Boot times that are computed from the clock differ a little from reading to reading. */
const SAME_BOOT_SECONDS = 120;
/** Each of the two headers of a database file is `u64 checksum, u64 number of the checkpoint`; the higher one counts. */
const HEADERS = [4096, 8192];

/**
 * Keeps the mark of the log of an open database. It is written without a sync of its own. The database file stays
 * open here until DuckDB has closed it, since closing any handle of it would give up the lock of the process; Windows
 * does not let other processes open it.
 */
export function createLogMarker(path: string, now: () => number): LogMarker {
  const wal = `${path}.wal`;
  const boot = bootId(now);
  const file = platform() === 'win32' ? null : openSync(path, 'r');
  const mark = openSync(path + MARK_ENDING, 'w', 0o600);
  let writing = 0;
  let commits = 0;
  let lastBytes = 0;

  function note(): void {
    const logBytes = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
    if (logBytes < lastBytes) commits = 0;
    lastBytes = logBytes;
    const checkpoints = file === null ? null : readCheckpoints(file);
    const value: LogMark = { boot, checkpoints, commits, logBytes, at: new Date(now()).toISOString() };
    try {
      writeSync(mark, JSON.stringify(value).padEnd(MARK_BYTES), 0);
    } catch {
      // On a full disk the mark stays behind the log, which is no fault; the commit itself is durable.
    }
  }

  note();
  return {
    note,
    async around(commit) {
      writing++;
      try {
        const result = await commit();
        commits++;
        // A commit that is half written would make the mark longer than what a kill leaves whole.
        if (writing === 1) note();
        return result;
      } finally {
        writing--;
      }
    },
    close() {
      if (file !== null) closeSync(file);
      closeSync(mark);
      // Without a log there is nothing to lose that the mark could show.
      if (lastBytes === 0) rmSync(path + MARK_ENDING, { force: true });
    },
  };
}

/** The mark beside a database; null when there is none, or it is not readable. */
export function readLogMark(path: string): LogMark | null {
  try {
    const mark = JSON.parse(readFileSync(path + MARK_ENDING, 'utf8')) as LogMark;
    return typeof mark.logBytes === 'number' && typeof mark.boot === 'string' ? mark : null;
  } catch {
    return null;
  }
}

/** Whether the machine has run on since the mark was written. */
export function isOfThisBoot({ boot }: LogMark, now: () => number): boolean {
  const here = bootId(now);
  return boot === here || Math.abs(Number(boot) - Number(here)) < SAME_BOOT_SECONDS;
}

/** How many checkpoints a database file has seen. Only for a file that is not open in this process. */
export function checkpointsOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    return readCheckpoints(file);
  } finally {
    closeSync(file);
  }
}

function readCheckpoints(file: number): number {
  if (fstatSync(file).size < HEADERS[1]! + 16) return 0;
  const counts = HEADERS.map((header) => {
    const bytes = Buffer.alloc(8);
    readSync(file, bytes, 0, 8, header + 8);
    return Number(bytes.readBigUInt64LE());
  });
  // A damaged header holds anything; DuckDB reads the other one then, which is one behind or ahead.
  const sound = counts.filter((count) => count < Number.MAX_SAFE_INTEGER / 2);
  return Math.max(0, ...sound);
}

/** Linux numbers its starts; elsewhere the second of the start identifies it. */
function bootId(now: () => number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round(now() / 1000 - uptime()));
  }
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The write-ahead log of DuckDB (storage version 1.0): a head of 8 bytes, then frames of `u64 size, u64 checksum, payload`.
 * A commit ends with a frame that is always the same. Of a log that breaks off in the middle DuckDB takes what comes before,
 * without a word; so does it with one whose head or sizes are damaged.
 */
export const LOG_HEAD = Buffer.from('640062650002ffff', 'hex');
export const FRAME_HEADER_BYTES = 16;
const COMMIT_END = Buffer.from('0500000000000000e7fe7d722fed3d5e640064ffff', 'hex');
const WINDOW_BYTES = 4_194_304;

export interface LogFrames {
  size: number;
  /** Whether the head is as DuckDB writes it. */
  hasHead: boolean;
  /** Bytes up to the end of the last frame that is there as a whole, judged by its size alone. */
  completeBytes: number;
  /** Commits that end within the whole bytes. */
  commits: number;
  /** Commits that end behind the whole bytes: then the log is damaged, and does not merely break off. */
  commitsBehind: number;
}

/** Looks at the frames of a log. The checksums are left to DuckDB. */
export function readLogFrames(wal: string): LogFrames {
  const file = openSync(wal, 'r');
  try {
    const { size } = fstatSync(file);
    const at = reader(file, size);
    const hasHead = at(0, LOG_HEAD.length).equals(LOG_HEAD);
    let position = LOG_HEAD.length;
    let commits = 0;
    while (position + FRAME_HEADER_BYTES < size) {
      const bytes = Number(at(position, 8).readBigUInt64LE());
      const end = position + FRAME_HEADER_BYTES + bytes;
      if (bytes === 0 || end > size) break;
      if (bytes === 5 && at(position, COMMIT_END.length).equals(COMMIT_END)) commits++;
      position = end;
    }
    const completeBytes = Math.min(position, size);
    return {
      size,
      hasHead,
      completeBytes: completeBytes,
      commits,
      commitsBehind: countCommits(file, completeBytes, size),
    };
  } finally {
    closeSync(file);
  }
}

/** Commits that end between two positions, whatever is between them. */
export function countCommitsFrom(wal: string, position: number): number {
  const file = openSync(wal, 'r');
  try {
    return countCommits(file, position, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/** Whether a commit ended there, also where one part of its last frame is damaged. */
export function endsCommit(wal: string, position: number): boolean {
  if (position < COMMIT_END.length) return false;
  const file = openSync(wal, 'r');
  try {
    const found = Buffer.alloc(COMMIT_END.length);
    readSync(file, found, 0, found.length, position - found.length);
    return (
      found.subarray(8, 16).equals(COMMIT_END.subarray(8, 16)) ||
      found.subarray(16).equals(COMMIT_END.subarray(16))
    );
  } finally {
    closeSync(file);
  }
}

function countCommits(file: number, from: number, to: number): number {
  const window = Buffer.alloc(Math.max(COMMIT_END.length, Math.min(WINDOW_BYTES, to - from)));
  let count = 0;
  let start = from;
  while (start + COMMIT_END.length <= to) {
    const bytes = readSync(file, window, 0, window.length, start);
    const found = window.subarray(0, bytes);
    let next = found.indexOf(COMMIT_END);
    while (next >= 0) {
      count++;
      next = found.indexOf(COMMIT_END, next + 1);
    }
    if (start + bytes >= to) break;
    start += bytes - COMMIT_END.length + 1;
  }
  return count;
}

/** Reads through a window that moves forward, so that a log of many small frames takes few reads. */
function reader(file: number, size: number): (position: number, length: number) => Buffer {
  const window = Buffer.alloc(Math.max(64, Math.min(WINDOW_BYTES, size)));
  let start = 0;
  let filled = 0;
  return (position, length) => {
    if (position < start || position + length > start + filled) {
      start = position;
      filled = readSync(file, window, 0, window.length, position);
    }
    return window.subarray(position - start, Math.min(position - start + length, filled));
  };
}

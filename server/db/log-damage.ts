import { constants, copyFileSync, openSync, closeSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { Log } from '../lib/log.ts';
import type { NewNotice } from '../lib/notices.ts';
import { FRAME_HEADER_BYTES, LOG_HEAD, countCommitsFrom, endsCommit, readLogFrames } from './log-frames.ts';
import { checkpointsOf, isOfThisBoot, readLogMark, type LogMark } from './log-mark.ts';
import { OpenFailure } from './open-failure.ts';

const COUNT = new Intl.NumberFormat('en');

export interface LogCheckContext {
  log: Log;
  now: () => number;
  /** Called with what users have to see. */
  raise: (notice: NewNotice) => void;
}

/**
 * Looks at the write-ahead log and at its mark before DuckDB opens the file, since DuckDB drops without a word what follows
 * a damaged head or size. What is whole is kept, the damaged log is copied aside, and a notice says how much was dropped.
 * Throws OpenFailure for a log that does not belong to the file.
 */
export function checkLog(path: string, doctor: LogCheckContext): void {
  const wal = `${path}.wal`;
  const fileBytes = sizeOf(path);
  const logBytes = sizeOf(wal);
  if (fileBytes === 0) {
    if (logBytes > LOG_HEAD.length) throw missingFile(path, logBytes);
    return;
  }
  const mark = markFor(path, logBytes, doctor);
  // A kill during a checkpoint leaves two logs; DuckDB puts them together.
  if (sizeOf(`${wal}.checkpoint`) > 0) return;
  if (mark !== null && logBytes < mark.logBytes) doctor.raise(shortened(wal, logBytes, mark));
  if (logBytes > 0) checkFrames(wal, mark, doctor);
}

/** Cuts a log at the frame whose payload DuckDB could not read. */
export function cutAtPayload(wal: string, payload: number, doctor: LogCheckContext): void {
  const keep = payload - FRAME_HEADER_BYTES;
  if (keep < 0 || keep >= sizeOf(wal))
    throw new OpenFailure('corrupt', `The write-ahead log ${wal} is damaged and cannot be repaired.`);
  cut(wal, keep, doctor);
}

/** The mark, when it is about this log: of the same state of the file, and written since the machine started. */
function markFor(path: string, logBytes: number, { raise, now }: LogCheckContext): LogMark | null {
  const mark = readLogMark(path);
  if (mark === null) return null;
  const checkpoints = mark.checkpoints === null ? null : checkpointsOf(path);
  if (checkpoints !== null && checkpoints < mark.checkpoints!) {
    if (logBytes > LOG_HEAD.length) throw olderFile(path, mark);
    raise(olderNotice(path, mark));
    return null;
  }
  return checkpoints === mark.checkpoints && isOfThisBoot(mark, now) ? mark : null;
}

function checkFrames(wal: string, mark: LogMark | null, doctor: LogCheckContext): void {
  const { size, hasHead, completeBytes, commitsBehind } = readLogFrames(wal);
  const isTornCommit = mark !== null && completeBytes < mark.logBytes && endsCommit(wal, mark.logBytes);
  const isCut = commitsBehind > 0 || (completeBytes < size && (isTornCommit || !hasHead));
  if (hasHead && !isCut) return;
  // A kill within the first commit of a log leaves a piece of its head.
  if (size <= LOG_HEAD.length) return;
  if (isCut) return cut(wal, completeBytes, doctor, !hasHead);
  const aside = copyAside(wal, doctor);
  writeHead(wal);
  doctor.raise(
    notice(
      'The write-ahead log was damaged at its start',
      `Its first bytes were damaged and have been repaired. No data was lost. The damaged log is kept as ${aside}.`,
    ),
  );
}

function cut(wal: string, keep: number, doctor: LogCheckContext, needsHead = false): void {
  const size = sizeOf(wal);
  const dropped = countCommitsFrom(wal, keep);
  const aside = copyAside(wal, doctor);
  if (needsHead) writeHead(wal);
  truncateSync(wal, keep);
  const place = keep <= LOG_HEAD.length ? 'start' : dropped > 1 ? 'middle' : 'end';
  const what = `${COUNT.format(size - keep)} of its ${COUNT.format(size)} bytes were dropped, ${commitsText(dropped)}`;
  doctor.log.warn(
    { wal, aside, keptBytes: keep, cutBytes: size - keep, place },
    'The write-ahead log was truncated',
  );
  doctor.raise(
    notice(
      `The write-ahead log was damaged at its ${place}`,
      `${what}. All data committed before the damage is kept. The damaged log is kept as ${aside}.`,
    ),
  );
}

function commitsText(commits: number): string {
  if (commits === 0) return 'containing no complete commit';
  return `containing ${COUNT.format(commits)} ${commits === 1 ? 'commit' : 'commits'}`;
}

/** Copied as a whole before anything is cut: where the disk has no room for that, the log stays as it is. */
function copyAside(wal: string, { now }: LogCheckContext): string {
  const aside = `${wal}.damaged-${new Date(now()).toISOString().replaceAll(':', '-')}`;
  copyFileSync(wal, aside, constants.COPYFILE_EXCL);
  return aside;
}

function writeHead(wal: string): void {
  const file = openSync(wal, 'r+');
  try {
    writeSync(file, LOG_HEAD, 0, LOG_HEAD.length, 0);
  } finally {
    closeSync(file);
  }
}

function shortened(wal: string, logBytes: number, mark: LogMark): NewNotice {
  const lost = COUNT.format(mark.logBytes - logBytes);
  const title =
    logBytes === 0 ? 'The write-ahead log was removed' : 'The end of the write-ahead log is missing';
  return notice(
    title,
    `${wal} has ${COUNT.format(logBytes)} bytes instead of ${COUNT.format(mark.logBytes)} after its last commit at ${mark.at}. The data in the missing ${lost} bytes is lost unless you restore the log from a copy. Data in the database file is kept.`,
  );
}

function missingFile(path: string, logBytes: number): OpenFailure {
  return new OpenFailure(
    'corrupt',
    `${path} is missing or empty while its log ${path}.wal holds ${COUNT.format(logBytes)} bytes. Restore the database file next to it, or move the log away to start with an empty database.`,
  );
}

function olderFile(path: string, mark: LogMark): OpenFailure {
  return new OpenFailure(
    'corrupt',
    `${path} is older than its log ${path}.wal: data stored in between would be lost. Restore the database file of ${mark.at}, or move the log away to open the older file without it.`,
  );
}

function olderNotice(path: string, mark: LogMark): NewNotice {
  return notice(
    'The database file was replaced by an older one',
    `${path} is older than the database that was open at ${mark.at}. Data stored since then is missing. If you replaced the file yourself, dismiss this notice.`,
  );
}

function notice(title: string, text: string): NewNotice {
  return {
    id: 'log_damaged',
    level: 'error',
    title,
    text,
    page: 'backups',
    refusesEvents: false,
    dismissible: true,
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

import { accessSync, constants, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NoticeBoard } from '../lib/notices.ts';
import { isFull as isFullDisk, LostPlaceError } from './store-trouble.ts';

/** Beside what the log holds, a checkpoint rewrites row groups that were begun and the lists of all tables. */
const CHECKPOINT_SPARE_BYTES = 16_777_216;
/** Free bytes from which events are accepted again after the disk was full. */
const ENOUGH_BYTES = 8_388_608;
/** With less than this at the start events are refused from the beginning. */
const FULL_AT_START_BYTES = 1_048_576;

const MB = 1_000_000;

/** Watches the place of the database: its room, and whether the file in the folder is still the one that is open. */
export interface DiskWatch {
  /** Whether events are refused now, without reading the disk. */
  readonly isRefusing: boolean;
  /** Whether a checkpoint of a log of so many bytes cannot fail for want of room. */
  hasRoomToCheckpoint(walBytes: number): boolean;
  /** Throws before a commit when the open file is no longer the one in the folder, or cannot be reached there. */
  checkPlace(): void;
  /** Throws when a log that was just written went to a file that is no longer in the folder, or cannot be reached there. */
  checkCommitted(): void;
  /** The same for a commit that may have written nothing: the log need not be there. */
  checkChanged(): void;
  /** Takes a failed write into account. */
  failed(error: unknown): void;
  /** Checks again; raises and clears notices. Returns false when the database must be reopened. */
  look(walBytes: number): boolean;
}

/** Nothing is watched of a database in memory (`path` null). */
export function createDiskWatch(path: string | null, notices: NoticeBoard): DiskWatch {
  if (path === null) return NOTHING_TO_WATCH;
  const folder = dirname(path);
  const opened = statSync(path);
  let isFull = false;
  let isLost = false;
  /** A commit was not acknowledged: in-memory state may differ from what is stored. */
  let isUnsure = false;

  /** Why the file cannot be written where it was opened, or null. */
  function loss(): string | null {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      accessSync(path!, constants.R_OK | constants.W_OK);
      return isOpened() ? null : 'The database file was replaced by another file.';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'The database file is missing from its folder.';
      if (code === 'EROFS') return 'The disk has become read-only.';
      return 'The folder is no longer readable and writable.';
    }
  }

  function isOpened(): boolean {
    const found = statSync(path!);
    return found.ino === opened.ino && found.dev === opened.dev;
  }

  function freeBytes(): number {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  }

  function setLost(reason: string | null): void {
    isLost = reason !== null;
    if (reason !== null) notices.raise(lostNotice(folder, reason));
    else notices.clear('data_folder_lost');
  }

  function setFull(full: boolean, walBytes: number): void {
    isFull = full;
    if (full) return notices.raise(fullNotice(folder));
    const isLow = freeBytes() < walBytes + CHECKPOINT_SPARE_BYTES;
    if (isLow) notices.raise(lowNotice(folder));
    else notices.clear('disk_full');
  }

  /** Throws unless the open file is in the folder, with a log where one must be. */
  function check(mustHaveLog: boolean): void {
    try {
      if (mustHaveLog) statSync(`${path}.wal`);
      if (isOpened()) return;
    } catch {
      // Said below.
    }
    setLost(loss() ?? 'The database file is missing from its folder.');
    throw new LostPlaceError();
  }

  function checkAfter(mustHaveLog: boolean): void {
    try {
      check(mustHaveLog);
    } catch (error) {
      isUnsure = true;
      throw error;
    }
  }

  if (freeBytes() < FULL_AT_START_BYTES) setFull(true, 0);
  return {
    get isRefusing() {
      return isFull || isLost;
    },
    hasRoomToCheckpoint: (walBytes) => freeBytes() >= walBytes + CHECKPOINT_SPARE_BYTES,
    checkPlace: () => check(false),
    checkCommitted: () => checkAfter(true),
    checkChanged: () => checkAfter(false),
    failed(error) {
      if (isFullDisk(error)) setFull(true, 0);
      else if (/IO Error/.test(String(error))) setLost(loss());
    },
    look(walBytes) {
      const reason = loss();
      if (reason === null && isUnsure) return false;
      setLost(reason);
      if (isLost) return !isReplaced();
      setFull(isFull && freeBytes() < ENOUGH_BYTES, walBytes);
      return true;
    },
  };

  function isReplaced(): boolean {
    try {
      return !isOpened();
    } catch {
      return false;
    }
  }
}

const NOTHING_TO_WATCH: DiskWatch = {
  isRefusing: false,
  hasRoomToCheckpoint: () => true,
  checkPlace: () => undefined,
  checkCommitted: () => undefined,
  checkChanged: () => undefined,
  failed: () => undefined,
  look: () => true,
};

function fullNotice(folder: string): Parameters<NoticeBoard['raise']>[0] {
  return {
    id: 'disk_full',
    level: 'error',
    title: 'The disk is full',
    text:
      `Burrow rejects events with status 503 until ${Math.ceil(ENOUGH_BYTES / MB)} MB are free for ${folder}. ` +
      'Most SDKs retry them. All acknowledged events are stored.',
    page: 'storage',
    refusesEvents: true,
    dismissible: false,
  };
}

function lowNotice(folder: string): Parameters<NoticeBoard['raise']>[0] {
  return {
    id: 'disk_full',
    level: 'warning',
    title: 'The disk is almost full',
    text: `Events are still stored, but ${folder} has no space for maintenance. Free up disk space.`,
    page: 'storage',
    refusesEvents: false,
    dismissible: false,
  };
}

function lostNotice(folder: string, reason: string): Parameters<NoticeBoard['raise']>[0] {
  return {
    id: 'data_folder_lost',
    level: 'error',
    title: 'The data folder is not writable',
    text: `${reason} Burrow rejects events with status 503 until ${folder} is available again.`,
    page: 'storage',
    refusesEvents: true,
    dismissible: false,
  };
}

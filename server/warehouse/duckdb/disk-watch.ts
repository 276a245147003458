import { accessSync, constants, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NoticeBoard } from '../../lib/notices.ts';

/** Beside what the log holds, a checkpoint rewrites row groups that were begun and the lists of all tables. */
const CHECKPOINT_SPARE_BYTES = 16_777_216;
/** Events that were refused for want of room are taken again from so much on. */
const ENOUGH_BYTES = 8_388_608;

const MB = 1_000_000;

/** Watches the place of the database: its room, and whether the file in the folder is still the one that is open. */
export interface DiskWatch {
  /** Whether events are refused now, without asking the disk. */
  readonly isRefusing: boolean;
  /** Whether a checkpoint of a log of so many bytes cannot fail for want of room. */
  hasRoomToCheckpoint(walBytes: number): boolean;
  /** Throws when what was just committed went to a file that is no longer in the folder, or cannot be reached there. */
  checkCommitted(): void;
  /** Takes a failed write into account. */
  failed(error: unknown): void;
  /** Looks again; raises and clears the notices. Returns false when the database has to be opened anew. */
  look(walBytes: number): boolean;
}

/** Nothing is watched of a database in memory (`path` null). */
export function createDiskWatch(path: string | null, notices: NoticeBoard): DiskWatch {
  if (path === null) return NOTHING_TO_WATCH;
  const folder = dirname(path);
  const opened = statSync(path);
  let isFull = false;
  let isLost = false;
  /** Something was committed that was not acknowledged: what this thread remembers is no longer what is stored. */
  let isUnsure = false;

  /** Why the file cannot be written where it was opened, or null. */
  function loss(): string | null {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      accessSync(path!, constants.R_OK | constants.W_OK);
      return isOpened() ? null : 'Another file has taken the place of the database.';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'The database is no longer in its folder.';
      if (code === 'EROFS') return 'The disk has become read-only.';
      return 'The folder can no longer be read and written.';
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

  return {
    get isRefusing() {
      return isFull || isLost;
    },
    hasRoomToCheckpoint: (walBytes) => freeBytes() >= walBytes + CHECKPOINT_SPARE_BYTES,
    checkCommitted() {
      try {
        statSync(`${path}.wal`);
        if (isOpened()) return;
      } catch {
        // Said below.
      }
      isUnsure = true;
      setLost(loss() ?? 'The database is no longer in its folder.');
      throw new Error('IO Error: the committed file is not the one in the data folder');
    },
    failed(error) {
      if (/No space left|ENOSPC|Disk quota|EDQUOT/i.test(String(error))) setFull(true, 0);
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
  checkCommitted: () => undefined,
  failed: () => undefined,
  look: () => true,
};

function fullNotice(folder: string): Parameters<NoticeBoard['raise']>[0] {
  return {
    id: 'disk_full',
    level: 'error',
    title: 'The disk is full',
    text:
      `Burrow refuses events with status 503 until there are ${Math.ceil(ENOUGH_BYTES / MB)} MB free for ${folder}. ` +
      'Most SDKs send them again. Every event that was acknowledged is stored.',
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
    text: `Events are still stored, but ${folder} has no room for the work of quiet moments. Make some room.`,
    page: 'storage',
    refusesEvents: false,
    dismissible: false,
  };
}

function lostNotice(folder: string, reason: string): Parameters<NoticeBoard['raise']>[0] {
  return {
    id: 'data_folder_lost',
    level: 'error',
    title: 'The data folder cannot be written',
    text: `${reason} Burrow refuses events with status 503 until ${folder} is back as it was.`,
    page: 'storage',
    refusesEvents: true,
    dismissible: false,
  };
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** What a notice is about. Each id is raised at most once at a time; a second raise replaces the first. */
export type NoticeId =
  | 'capture_paused'
  | 'data_folder_lost'
  | 'disk_full'
  | 'log_damaged'
  | 'query_stopped'
  | 'server_restarted'
  | 'store_damaged';

/** The console page that helps. */
export type NoticePage = 'backups' | 'ingestion' | 'sql' | 'storage';

/** A state of the whole server that every user of the console has to see. */
export interface Notice {
  id: NoticeId;
  level: 'error' | 'warning';
  /** What is wrong, in a few words. */
  title: string;
  /** What happened, what was not lost, and what to do next. */
  text: string;
  page: NoticePage | null;
  /** Whether events and readiness are answered 503 while the notice is active. */
  refusesEvents: boolean;
  /** Whether the notice lasts until a user dismisses it, over restarts too. All others end with their cause. */
  dismissible: boolean;
  /** Unix milliseconds. */
  since: number;
}

export type NewNotice = Omit<Notice, 'since'>;

/** What a part of the server needs to report and to take back its notices. */
export interface NoticeBoard {
  raise(notice: NewNotice): void;
  clear(id: NoticeId): void;
}

export interface Notices extends NoticeBoard {
  /** Errors first, then the oldest first. */
  list(): Notice[];
  /** Returns false when no dismissible notice has this id. */
  dismiss(id: string): boolean;
  /** Why events are refused, or null. */
  refusal(): Notice | null;
}

/**
 * The notices of one process. Dismissible ones are kept in `file`, readable by its owner alone, so that they outlive a
 * restart; null keeps them in memory.
 */
export function createNotices(deps: {
  clock: Clock;
  log: Log;
  file: string | null;
  /** Called with each notice that is new. */
  onRaise?: (notice: Notice) => void;
}): Notices {
  const { clock, log, file, onRaise } = deps;
  const notices = new Map<NoticeId, Notice>(readKept(file, log).map((notice) => [notice.id, notice]));

  function save(): void {
    if (file === null) return;
    const kept = [...notices.values()].filter((notice) => notice.dismissible);
    try {
      if (kept.length === 0) return rmSync(file, { force: true });
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      // A full disk or a lost folder has a notice of its own; the list in memory still shows this one.
      log.warn({ err: error }, 'The notices could not be saved');
    }
  }

  return {
    raise(notice) {
      const last = notices.get(notice.id);
      if (last?.text === notice.text && last.title === notice.title) return;
      const raised = { ...notice, since: last?.since ?? clock() };
      notices.set(notice.id, raised);
      if (last === undefined) onRaise?.(raised);
      log[notice.level === 'error' ? 'error' : 'warn'](
        { notice: notice.id },
        `${notice.title}. ${notice.text}`,
      );
      if (notice.dismissible) save();
    },
    clear(id) {
      const notice = notices.get(id);
      if (notice === undefined) return;
      notices.delete(id);
      log.info({ notice: id }, `Over: ${notice.title}`);
      if (notice.dismissible) save();
    },
    list: () =>
      [...notices.values()].sort(
        (a, b) => Number(b.level === 'error') - Number(a.level === 'error') || a.since - b.since,
      ),
    dismiss(id) {
      const notice = notices.get(id as NoticeId);
      if (notice === undefined || !notice.dismissible) return false;
      notices.delete(notice.id);
      save();
      return true;
    },
    refusal: () => [...notices.values()].find((notice) => notice.refusesEvents) ?? null,
  };
}

function readKept(file: string | null, log: Log): Notice[] {
  if (file === null) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Notice[];
  } catch (error) {
    // A path that is not a folder is reported where the folder is created.
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      log.warn({ err: error }, 'The kept notices could not be read');
    return [];
  }
}

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NoticeBoard } from '../lib/notices.ts';

/**
 * The ending of the mark file of a damaged database, which exists until a backup replaces the database or a check
 * succeeds.
 */
export const DAMAGED_ENDING = '.damaged';

export interface DamageWatch {
  /** Marks the store damaged when the error says that what is on disk cannot be read; returns whether it does. */
  seen(error: unknown): boolean;
}

/** Users write no such text into a statement: DuckDB begins its message with the kind of the error. */
export function isDamage(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error);
  return /^(?:Error: )?(?:IO|FATAL|Serialization|TransactionContext) Error:[^\n]*(?:Corrupt|checksum|deserializ|read enough|read from file|read all bytes)/i.test(
    text,
  );
}

/** What to do about a damaged database: restore one of the backups beside it, when there are any. */
export function restoreAdvice(path: string): string {
  const folder = join(dirname(path), 'backups');
  return hasBackup(folder)
    ? `Restore a backup from ${folder}.`
    : `There is no backup in ${folder}: restore one that you copied elsewhere, or start with another data folder.`;
}

function hasBackup(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.duckdb'));
  } catch {
    // Missing, or unreadable as the database beside it: the damage is still reported.
    return false;
  }
}

/**
 * From the first read error on, events are refused and a notice leads to the backups. It outlives the process: the next
 * start may not read the damaged block for a while.
 */
export function watchForDamage(path: string | null, notices: Pick<NoticeBoard, 'raise'>): DamageWatch {
  if (path === null) return { seen: isDamage };
  const mark = path + DAMAGED_ENDING;
  const raise = (): void =>
    notices.raise({
      id: 'store_damaged',
      level: 'error',
      title: 'The database is damaged',
      text: `Part of ${path} cannot be read. Events are rejected; most SDKs retry them. ${restoreAdvice(path)}`,
      page: 'backups',
      refusesEvents: true,
      dismissible: false,
    });
  if (existsSync(mark)) raise();
  return {
    seen(error) {
      if (!isDamage(error)) return false;
      raise();
      try {
        writeFileSync(mark, '', { mode: 0o600 });
      } catch {
        // The notice remains active while this process lives.
      }
      return true;
    },
  };
}

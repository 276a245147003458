import { isFatal, isStoreError } from './fatal.ts';
import { isDamage } from './store-damage.ts';

/** The open database is no longer the one in the data folder. */
export class LostPlaceError extends Error {
  constructor() {
    super('IO Error: the open database is not the one in the data folder');
  }
}

/** Whether a write failed for want of room. */
export function isFull(error: unknown): boolean {
  return isStoreError(error, /No space left|ENOSPC|Disk quota|EDQUOT/i);
}

/** The error for clients while the database is reopened. */
export const REOPENING = 'The database failed and is being reopened. Try again in a moment.';

/** Why the store failed a statement that is not to blame, in a sentence for clients; null: the statement may be. */
export function troubleOf(error: unknown): string | null {
  if (error instanceof LostPlaceError)
    return 'The data folder is not writable, so this was not saved. Try again when it is available.';
  if (isFull(error)) return 'The disk is full, so this was not saved. Free up disk space and try again.';
  if (isDamage(error)) return 'The database is damaged: part of it cannot be read. Restore a backup.';
  return isFatal(error) ? REOPENING : null;
}

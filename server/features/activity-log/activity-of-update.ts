import type { Change } from '../../lib/activity.ts';

/** The word for a change of an object that is deleted softly: it was deleted, restored, or updated. */
export function activityOfUpdate(changes: readonly Change[]): 'deleted' | 'restored' | 'updated' {
  const deletion = changes.find(({ field }) => field === 'deleted');
  if (deletion === undefined) return 'updated';
  return deletion.after === true ? 'deleted' : 'restored';
}

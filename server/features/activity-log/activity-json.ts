import type { Users } from '../users/index.ts';
import type { ActivityEntry } from './activity-log.contract.ts';
import type { ActivityRow } from './activity-log.reads.ts';

/** An entry as it is answered. */
export function activityEntryOf(row: ActivityRow, users: Users): ActivityEntry {
  return {
    id: row.id,
    user: users.embedded(row.userId),
    activity: row.activity,
    scope: row.scope,
    item_id: row.itemId,
    detail: JSON.parse(row.detail) as ActivityEntry['detail'],
    created_at: row.createdAt,
    is_system: row.userId === null,
    unread: false,
    project_id: row.projectId,
  };
}

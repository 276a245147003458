import type { Statements } from '../../db/db.ts';
import type { NewActivity, Change } from '../../lib/activity.ts';
import { jsonText } from '../../lib/json-text.ts';

/** Writes an entry of the activity log, in the transaction of its change. */
export function recordActivity(tx: Statements, activity: NewActivity): Promise<void> {
  return recordActivities(tx, [activity]);
}

const ROWS = `'[{"id":"UUID","organizationId":"UUID","projectId":"INTEGER","userId":"INTEGER","activity":"VARCHAR",
  "scope":"VARCHAR","itemId":"VARCHAR","detail":"VARCHAR","now":"BIGINT"}]'`;

/** Writes entries of one change to many objects, in one statement. */
export async function recordActivities(tx: Statements, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map(({ name, shortId = null, changes = [], ...entry }) => ({
    ...entry,
    detail: jsonText({ name, short_id: shortId, changes }),
  }));
  await tx.run(
    `INSERT INTO activity_log
       (id, organization_id, project_id, user_id, activity, scope, item_id, detail, created_at)
     SELECT id, "organizationId", "projectId", "userId", activity, scope, "itemId", detail, epoch_ms(now)
     FROM (SELECT unnest(from_json($rows::JSON, ${ROWS}), recursive := true))`,
    { rows: jsonText(rows) },
  );
}

/** The word for a change of an object that is deleted softly: it was deleted, restored, or updated. */
export function activityOfUpdate(changes: readonly Change[]): 'deleted' | 'restored' | 'updated' {
  const deletion = changes.find(({ field }) => field === 'deleted');
  if (deletion === undefined) return 'updated';
  return deletion.after === true ? 'deleted' : 'restored';
}

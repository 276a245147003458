import type { Statements } from '../../db/db.ts';
import type { NewActivity } from '../../lib/activity.ts';

/** Writes an entry of the activity log, in the transaction of the change that it tells of. */
export async function recordActivity(tx: Statements, activity: NewActivity): Promise<void> {
  const { id, now, organizationId, projectId, userId, scope, itemId, name, shortId, changes = [] } = activity;
  const detail = JSON.stringify({ name, short_id: shortId ?? null, changes });
  await tx.run(
    `INSERT INTO activity_log
       (id, organization_id, project_id, user_id, activity, scope, item_id, detail, created_at)
     VALUES ($id, $organizationId, $projectId, $userId, $activity, $scope, $itemId, $detail, epoch_ms($now))`,
    { id, organizationId, projectId, userId, activity: activity.activity, scope, itemId, detail, now },
  );
}

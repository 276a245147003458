import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { recordActivities, type Change } from '../activity-log/index.ts';
import type { InsightRow } from './insight-row.ts';
import { insightResource } from './insights.resource.ts';

/** Writes a change of insights to the activity log, in its transaction; one statement. */
export type RecordInsights = (
  tx: Statements,
  actor: Actor,
  activity: string,
  rows: readonly InsightRow[],
  changes?: readonly Change[],
) => Promise<void>;

export function createInsightLog({ newId, clock }: { newId: NewId; clock: Clock }): RecordInsights {
  return async (tx, actor, activity, rows, changes = []) => {
    const now = clock();
    await recordActivities(
      tx,
      rows.map((row) => ({
        id: newId(),
        now,
        organizationId: actor.organizationId,
        projectId: row.projectId,
        userId: actor.user.id,
        activity,
        scope: insightResource.activity,
        itemId: String(row.id),
        name: row.name ?? row.derivedName,
        shortId: row.shortId,
        changes,
      })),
    );
  };
}

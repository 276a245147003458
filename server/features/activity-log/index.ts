import type { Actor, Feature } from '../../http/define-route.ts';
import { createLogOf, visibleEntries } from './activity-log.reads.ts';
import { activityLogRoutes, type ActivityLogRouteParts } from './activity-log.routes.ts';

export { changesBetween, type Change, type NewActivity } from '../../lib/activity.ts';
export { activityOfUpdate, recordActivities, recordActivity } from './record-activity.ts';

/** Queries, as far as they read the log: `system.activity_logs`. */
interface LimitedQueries {
  limitRows(resource: string, condition: (actor: Actor, projectId: number) => string): void;
}

export function activityLogFeature(
  needs: Omit<ActivityLogRouteParts, 'logOf'> & { queries: LimitedQueries },
): Feature {
  const logOf = createLogOf(needs.access, needs.resources);
  needs.queries.limitRows('activity_log', (actor, projectId) => visibleEntries(logOf(actor, projectId)));
  return { name: 'activity-log', routes: activityLogRoutes({ ...needs, logOf }) };
}

import type { Feature } from '../../http/define-route.ts';
import { activityLogRoutes } from './activity-log.routes.ts';

export { changesBetween, type Change, type NewActivity } from '../../lib/activity.ts';
export { activityOfUpdate, recordActivities, recordActivity } from './record-activity.ts';

export function activityLogFeature(needs: Parameters<typeof activityLogRoutes>[0]): Feature {
  return { name: 'activity-log', routes: activityLogRoutes(needs) };
}

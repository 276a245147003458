export { activityLogRoutes } from './activity-log.routes.ts';
export { changesBetween, type ActivityScope, type Change, type NewActivity } from '../../lib/activity.ts';
export { activityOfUpdate } from './activity-of-update.ts';
export { recordActivities, recordActivity } from './record-activity.ts';

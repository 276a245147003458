export { activityLogRoutes } from './activity-log.routes.ts';
export { changesBetween, type Change, type NewActivity } from '../../lib/activity.ts';
export { activityOfUpdate, recordActivities, recordActivity } from './record-activity.ts';

export {
  changesBetween,
  recordActivity,
  type ActivityScope,
  type Change,
  type NewActivity,
} from './record-activity.ts';

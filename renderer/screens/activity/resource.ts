import type { ConsoleResource } from '../../composables/resources.ts';

export const activityLogResource = {
  noun: 'activity_log',
  one: 'activity log',
  many: 'activity log',
  order: 120,
  scope: { read: 'view changes', write: null },
} satisfies ConsoleResource;

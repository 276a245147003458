import type { ConsoleResource } from '../../composables/resources.ts';

export const groupResource = {
  noun: 'group',
  activity: 'Group',
  one: 'group',
  many: 'groups',
  order: 80,
  scope: { read: 'view companies, teams…', write: 'create and edit them' },
} satisfies ConsoleResource;

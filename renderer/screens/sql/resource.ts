import type { ConsoleResource } from '../../composables/resources.ts';

export const queryResource = {
  noun: 'query',
  one: 'query',
  many: 'queries',
  order: 0,
  scope: { label: 'Events and queries', read: 'run queries on events', write: null },
} satisfies ConsoleResource;

export const insightVariableResource = {
  noun: 'insight_variable',
  activity: 'InsightVariable',
  one: 'SQL variable',
  many: 'SQL variables',
  order: 100,
  filter: 'SQL variables',
  scope: { read: 'view them', write: 'create, edit, delete' },
} satisfies ConsoleResource;

import { eventsTable } from './events-table.ts';
import {
  cohortPeopleTable,
  groupsTable,
  personDistinctIdsTable,
  personsTable,
  rawTables,
} from './person-tables.ts';
import { sessionsTable } from './sessions-table.ts';
import { systemTables } from './system-tables.ts';
import type { Table } from './table.ts';

/** Every table that a query can name. */
export const TABLES: ReadonlyMap<string, Table> = new Map(
  [
    eventsTable,
    personsTable,
    groupsTable,
    personDistinctIdsTable,
    cohortPeopleTable,
    sessionsTable,
    ...rawTables,
    ...systemTables,
  ].map((table) => [table.name, table]),
);

/** PostHog's schema, which a query may name before the table. */
const SCHEMA = /^posthog\./;
/** Tables that PostHog has under a second name. */
const SECOND_NAMES: Readonly<Record<string, string>> = { cohort_membership: 'cohort_people' };

/** The name of a table without that of its schema. */
export function withoutSchema(name: string): string {
  return name.replace(SCHEMA, '');
}

/** The table that a query names; undefined: there is none. */
export function findTable(name: string): Table | undefined {
  const bare = withoutSchema(name);
  return TABLES.get(Object.hasOwn(SECOND_NAMES, bare) ? SECOND_NAMES[bare]! : bare);
}

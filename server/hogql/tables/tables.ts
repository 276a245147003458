import { eventsTable } from './events-table.ts';
import { cohortPeopleTable, groupsTable, personDistinctIdsTable, personsTable } from './person-tables.ts';
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
    ...systemTables,
  ].map((table) => [table.name, table]),
);

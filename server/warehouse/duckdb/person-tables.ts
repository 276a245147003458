import type { DuckDBConnection } from '@duckdb/node-api';
import { readChunks } from '../../db/read-chunks.ts';
import type { Cell } from './column-appender.ts';
import { deletePersonParts } from './person-parts.ts';
import { createTableAppenders } from './table-appenders.ts';

/** A person as it is stored. */
export interface StoredPerson {
  projectId: number;
  id: number;
  uuid: string;
  /** Unix microseconds. */
  createdAt: number;
  /** JSON text. */
  properties: string;
  /** JSON text. */
  sources: string;
  isIdentified: boolean;
}

/** A distinct id as it is stored. */
export interface StoredDistinctId {
  projectId: number;
  distinctId: string;
  personId: number;
  position: number;
}

/** A merge: events of `oldPersonId` belong to `personId`. */
export interface StoredMerge {
  projectId: number;
  oldPersonId: number;
  personId: number;
}

/** Rows to write in one transaction, each key once. */
export interface PersonChanges {
  persons: readonly StoredPerson[];
  deletedPersons: readonly StoredPerson[];
  distinctIds: readonly StoredDistinctId[];
  deletedDistinctIds: readonly StoredDistinctId[];
  merges: readonly StoredMerge[];
  history: readonly MergeRecord[];
}

/** A merge as stored in the history. */
export interface MergeRecord extends StoredMerge {
  oldUuid: string;
  /** The absorbed id that the event named. */
  distinctId: string;
  event: string;
  /** Unix microseconds. */
  mergedAt: number;
}

const COLUMNS = {
  persons_recent: [
    'BIGINT',
    'INTEGER',
    'INTEGER',
    'UUID',
    'TIMESTAMP',
    'VARCHAR',
    'VARCHAR',
    'BOOLEAN',
    'BOOLEAN',
  ],
  person_distinct_ids_recent: ['BIGINT', 'INTEGER', 'VARCHAR', 'INTEGER', 'INTEGER', 'BOOLEAN'],
  person_merges: ['BIGINT', 'INTEGER', 'INTEGER', 'INTEGER'],
  person_merge_history: ['INTEGER', 'INTEGER', 'INTEGER', 'UUID', 'VARCHAR', 'VARCHAR', 'TIMESTAMP'],
} as const;

/**
 * A distinct ID whose row was not written before the process ended. `createdAt` is in Unix microseconds; null: it has
 * only a placeholder.
 */
export interface UnwrittenPerson {
  projectId: number;
  distinctId: string;
  personId: number;
  createdAt: number | null;
}

/** The tables of persons, read and appended to by the commit thread. */
export interface PersonTables {
  /** Calls back with every distinct ID and its owner; only those of one project when it is named. */
  readOwners(
    onOwner: (projectId: number, distinctId: string, personId: number, hasPerson: boolean) => void,
    ofProject?: number,
  ): Promise<void>;
  /** The persons of these ids that exist. */
  readPersons(ids: readonly number[]): Promise<StoredPerson[]>;
  /**
   * Every row, oldest first, that ever assigned an ID to one of these persons, including IDs that have moved since.
   * IDs are internal integers and inlined, which lets DuckDB skip whole blocks.
   */
  readDistinctIds(personIds: readonly number[]): Promise<StoredDistinctId[]>;
  /** All merges that are not yet squashed, flattened. */
  readMerges(): Promise<StoredMerge[]>;
  /**
   * Distinct IDs of stored events without a row of their own, because the previous process ended before writing it.
   */
  readUnwrittenPersons(): Promise<UnwrittenPerson[]>;
  /** Appends the changes inside the open transaction. */
  append(changes: PersonChanges): Promise<void>;
  /** Changes that wait in the `_recent` tables. */
  countRecent(): Promise<number>;
  /**
   * Deletes history and dependent rows of persons by all their IDs, and with `deleteEvents` their events, inside the
   * open transaction; returns the number of deleted events.
   */
  forget(projectId: number, personIds: readonly number[], deleteEvents: boolean): Promise<number>;
  /** Reassigns all events of each distinct ID to the person, inside the open transaction. */
  moveEvents(projectId: number, moves: readonly { distinctId: string; personId: number }[]): Promise<void>;
  /** Saves the last assigned ID inside the open transaction, before rows that contain it are deleted. */
  saveLastPersonId(): Promise<void>;
  /** Returns a new person ID. */
  newPersonId(): number;
  /** The last ID returned by `newPersonId`. */
  lastPersonId(): number;
  close(): void;
}

/** Opens the tables on the commit connection. */
export async function openPersonTables(connection: DuckDBConnection): Promise<PersonTables> {
  const appenders = createTableAppenders(connection, COLUMNS);
  // Rows are written in order of their IDs, so unwritten IDs are greater than all written ones.
  const state = await connection.runAndReadAll(`SELECT
      max(version)::DOUBLE AS version, max(written)::INTEGER AS written, max(seen)::INTEGER AS seen
    FROM (SELECT 0 AS version, last_person_id AS written, 0 AS seen FROM persons_state
      UNION ALL SELECT max(persons_version), 0, 0 FROM warehouse_stream
      UNION ALL SELECT max(version), max(id), 0 FROM persons_recent
      UNION ALL SELECT 0, max(id), 0 FROM persons_settled
      UNION ALL SELECT max(version), max(person_id), 0 FROM person_distinct_ids_recent
      UNION ALL SELECT 0, max(person_id), 0 FROM person_distinct_ids_settled
      UNION ALL SELECT max(version), max(old_person_id), 0 FROM person_merges
      UNION ALL SELECT 0, 0, max(person_id) FROM events_recent
      UNION ALL SELECT 0, 0, max(person_id) FROM events)`);
  let version = state.value(0, 0) as number;
  const written = state.value(1, 0) as number;
  let lastPersonId = Math.max(written, state.value(2, 0) as number);
  const mayHaveForgotten = lastPersonId > written;

  async function rows(sql: string): Promise<unknown[][]> {
    return (await connection.runAndReadAll(sql)).getRows() as unknown[][];
  }

  async function noteIds(): Promise<void> {
    await connection.run('UPDATE persons_state SET last_person_id = $lastPersonId', { lastPersonId });
  }

  return {
    async readOwners(onOwner, ofProject) {
      const result = await connection.stream(
        `SELECT d.project_id, d.distinct_id, d.person_id, p.id IS NOT NULL
         FROM person_distinct_ids d LEFT JOIN persons p ON p.id = d.person_id
         ${ofProject === undefined ? '' : 'WHERE d.project_id = $ofProject'}`,
        ofProject === undefined ? {} : { ofProject },
      );
      for await (const chunk of readChunks(result)) {
        const [projects, ids, owners, known] = chunk.getColumns() as [
          number[],
          string[],
          number[],
          boolean[],
        ];
        for (let i = 0; i < ids.length; i++) onOwner(projects[i]!, ids[i]!, owners[i]!, known[i]!);
      }
    },
    async readPersons(ids) {
      if (ids.length === 0) return [];
      const columns = `project_id, id, uuid::VARCHAR, epoch_us(created_at)::DOUBLE, properties, property_sources, is_identified`;
      const wanted = `WHERE id IN (${ids.join(', ')})`;
      const found = await rows(`SELECT ${columns}, false, 0::BIGINT AS version FROM persons_settled ${wanted}
        UNION ALL SELECT ${columns}, is_deleted, version FROM persons_recent ${wanted} ORDER BY version`);
      const latest = new Map<number, StoredPerson | null>();
      for (const row of found) latest.set(row[1] as number, row[7] === true ? null : personOf(row));
      return [...latest.values()].filter((person) => person !== null);
    },
    async readDistinctIds(personIds) {
      if (personIds.length === 0) return [];
      const columns = 'project_id, distinct_id, person_id, position';
      const wanted = `WHERE person_id IN (${personIds.join(', ')})`;
      const found =
        await rows(`SELECT ${columns}, 0::BIGINT AS version FROM person_distinct_ids_settled ${wanted}
        UNION ALL SELECT ${columns}, version FROM person_distinct_ids_recent ${wanted} ORDER BY version`);
      return found.map(([projectId, distinctId, personId, position]) => ({
        projectId: projectId as number,
        distinctId: distinctId as string,
        personId: personId as number,
        position: position as number,
      }));
    },
    async readUnwrittenPersons() {
      if (!mayHaveForgotten) return [];
      const found = await rows(`WITH forgotten AS (
          SELECT project_id, distinct_id, person_id, timestamp, received_at,
            json_extract(properties, '$."$process_person_profile"')::VARCHAR IS DISTINCT FROM 'false' AS is_identified
          FROM all_events ANTI JOIN person_distinct_ids USING (project_id, distinct_id)
          WHERE person_id > ${written}
        )
        SELECT project_id, distinct_id, person_id,
          epoch_us(arg_min(timestamp, received_at) FILTER (is_identified))::DOUBLE
        FROM forgotten GROUP BY project_id, distinct_id, person_id ORDER BY person_id`);
      return found.map(([projectId, distinctId, personId, createdAt]) => ({
        projectId: projectId as number,
        distinctId: distinctId as string,
        personId: personId as number,
        createdAt: createdAt as number | null,
      }));
    },
    async readMerges() {
      const found = await rows(`SELECT any_value(project_id), old_person_id, arg_max(person_id, version)
        FROM person_merges GROUP BY old_person_id`);
      return found.map(([projectId, oldPersonId, personId]) => ({
        projectId: projectId as number,
        oldPersonId: oldPersonId as number,
        personId: personId as number,
      }));
    },
    async append({ persons, deletedPersons, distinctIds, deletedDistinctIds, merges, history }) {
      version++;
      await appenders.append('persons_recent', [
        ...persons.map((person) => personCells(version, person, false)),
        ...deletedPersons.map((person) => personCells(version, person, true)),
      ]);
      await appenders.append('person_distinct_ids_recent', [
        ...distinctIds.map((id) => distinctIdCells(version, id, false)),
        ...deletedDistinctIds.map((id) => distinctIdCells(version, id, true)),
      ]);
      await appenders.append(
        'person_merges',
        merges.map(({ projectId, oldPersonId, personId }) => [version, projectId, oldPersonId, personId]),
      );
      await appenders.append('person_merge_history', history.map(historyCells));
    },
    async countRecent() {
      const counted = await rows(`SELECT ((SELECT count(*) FROM persons_recent)
        + (SELECT count(*) FROM person_distinct_ids_recent))::INTEGER`);
      return counted[0]![0] as number;
    },
    async forget(projectId, personIds, deleteEvents) {
      const ids = personIds.join(', ');
      await connection.run(`DELETE FROM person_merge_history WHERE person_id IN (${ids})`);
      await connection.run(`DELETE FROM person_merges WHERE person_id IN (${ids})`);
      await deletePersonParts(connection, personIds);
      // After the rows are deleted their IDs must not look unwritten (readUnwrittenPersons).
      await noteIds();
      if (!deleteEvents) return 0;
      let deleted = 0;
      for (const table of ['events', 'events_recent']) {
        const sql = `DELETE FROM ${table} WHERE project_id = $projectId AND person_id IN (${ids})`;
        deleted += (await connection.run(sql, { projectId })).rowsChanged;
      }
      return deleted;
    },
    async moveEvents(projectId, moves) {
      const json = JSON.stringify(moves);
      for (const table of ['events', 'events_recent']) {
        await connection.run(
          `UPDATE ${table} SET person_id = m.move.personId
           FROM (SELECT unnest(from_json($json, '[{"distinctId": "VARCHAR", "personId": "INTEGER"}]')) AS move) m
           WHERE ${table}.project_id = $projectId AND ${table}.distinct_id = m.move.distinctId`,
          { json, projectId },
        );
      }
    },
    saveLastPersonId: noteIds,
    newPersonId: () => ++lastPersonId,
    lastPersonId: () => lastPersonId,
    close: appenders.close,
  };
}

function personOf([
  projectId,
  id,
  uuid,
  createdAt,
  properties,
  sources,
  isIdentified,
]: unknown[]): StoredPerson {
  return {
    projectId: projectId as number,
    id: id as number,
    uuid: uuid as string,
    createdAt: createdAt as number,
    properties: properties as string,
    sources: sources as string,
    isIdentified: isIdentified as boolean,
  };
}

function personCells(version: number, person: StoredPerson, isDeleted: boolean): Cell[] {
  const { projectId, id, uuid, createdAt, properties, sources, isIdentified } = person;
  return [version, projectId, id, uuid, createdAt, properties, sources, isIdentified, isDeleted];
}

function distinctIdCells(version: number, id: StoredDistinctId, isDeleted: boolean): Cell[] {
  return [version, id.projectId, id.distinctId, id.personId, id.position, isDeleted];
}

function historyCells(note: MergeRecord): Cell[] {
  const { projectId, personId, oldPersonId, oldUuid, distinctId, event, mergedAt } = note;
  return [projectId, personId, oldPersonId, oldUuid, distinctId, event, mergedAt];
}

import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableWriteLock } from './table-write-lock.ts';
import type { StreamHold } from './stream-hold.ts';
import { settle, type SettledTable } from './settle.ts';
import { createTableAppenders } from './table-appenders.ts';

/** A group as it is stored. */
export interface StoredGroup {
  projectId: number;
  groupTypeIndex: number;
  groupKey: string;
  /** Unix microseconds. */
  createdAt: number;
  /** JSON text. */
  properties: string;
}

/** A type of groups and its index among those of its project. */
export interface StoredGroupType {
  projectId: number;
  groupTypeIndex: number;
  groupType: string;
  /** Unix microseconds. */
  createdAt: number;
}

/** Identifies a group. */
export type GroupName = Pick<StoredGroup, 'projectId' | 'groupTypeIndex' | 'groupKey'>;

/** Number of changes that are settled when idle, and even under load. */
const SETTLE_QUIET_ROWS = 1_000;
const SETTLE_LOADED_ROWS = 100_000;

const COLUMNS = {
  groups_recent: ['BIGINT', 'INTEGER', 'INTEGER', 'VARCHAR', 'TIMESTAMP', 'VARCHAR', 'BOOLEAN'],
} as const;
const GROUPS: SettledTable = {
  name: 'groups',
  key: ['project_id', 'group_type_index', 'group_key'],
  columns: ['project_id', 'group_type_index', 'group_key', 'created_at', 'properties'],
  order: ['project_id', 'group_type_index', 'group_key'],
};

/** The tables of groups, read and appended to by the commit thread. */
export interface GroupTables {
  readTypes(): Promise<StoredGroupType[]>;
  /** The groups of these names that exist. */
  readGroups(names: readonly GroupName[]): Promise<StoredGroup[]>;
  /** All groups of one type. */
  readGroupsOfType(projectId: number, groupTypeIndex: number): Promise<StoredGroup[]>;
  /** Appends inside the open transaction, each group once. */
  append(groups: readonly StoredGroup[], deleted: readonly StoredGroup[]): Promise<void>;
  insertTypes(types: readonly StoredGroupType[]): Promise<void>;
  deleteType(projectId: number, groupTypeIndex: number): Promise<void>;
  /** Sets the display names; absent ones are unchanged. */
  renameType(
    projectId: number,
    groupTypeIndex: number,
    names: { nameSingular?: string | null; namePlural?: string | null },
  ): Promise<void>;
  /** One maintenance run, on its own connection. */
  maintain(isQuiet: boolean): Promise<void>;
  /** Settles all changes now. */
  settle(): Promise<void>;
  close(): void;
}

/** Opens the tables on the commit connection, and a second connection for maintenance. */
export async function openGroupTables(
  connection: DuckDBConnection,
  beside: DuckDBConnection,
  writeLock: TableWriteLock,
  hold: Pick<StreamHold, 'groupsThrough'>,
): Promise<GroupTables> {
  const appenders = createTableAppenders(connection, COLUMNS);
  const state = await connection.runAndReadAll(
    `SELECT greatest((SELECT max(version) FROM groups_recent), (SELECT max(groups_version) FROM warehouse_stream), 0)::DOUBLE,
       (SELECT count(*)::INTEGER FROM groups_recent)`,
  );
  let version = Number(state.value(0, 0));
  let recent = Number(state.value(1, 0));

  async function groups(sql: string, params: Record<string, string | number>): Promise<StoredGroup[]> {
    const found = (await connection.runAndReadAll(sql, params)).getRows() as unknown[][];
    return found.map(([projectId, groupTypeIndex, groupKey, createdAt, properties]) => ({
      projectId: projectId as number,
      groupTypeIndex: groupTypeIndex as number,
      groupKey: groupKey as string,
      createdAt: createdAt as number,
      properties: properties as string,
    }));
  }

  async function settleGroups(): Promise<void> {
    recent = Math.max(0, recent - (await settle(beside, writeLock, GROUPS, hold.groupsThrough)));
  }

  return {
    async readTypes() {
      const found = await connection.runAndReadAll(
        'SELECT project_id, group_type_index, group_type, epoch_us(created_at)::DOUBLE FROM group_types',
      );
      return (found.getRows() as unknown[][]).map(([projectId, groupTypeIndex, groupType, createdAt]) => ({
        projectId: projectId as number,
        groupTypeIndex: groupTypeIndex as number,
        groupType: groupType as string,
        createdAt: createdAt as number,
      }));
    },
    async readGroups(names) {
      if (names.length === 0) return [];
      return await groups(
        `SELECT project_id, group_type_index, group_key, epoch_us(created_at)::DOUBLE, properties FROM groups
         SEMI JOIN (SELECT unnest(from_json($names,
           '[{"projectId": "INTEGER", "groupTypeIndex": "INTEGER", "groupKey": "VARCHAR"}]')) AS n) wanted
         ON project_id = n.projectId AND group_type_index = n.groupTypeIndex AND group_key = n.groupKey`,
        { names: JSON.stringify(names) },
      );
    },
    readGroupsOfType: (projectId, groupTypeIndex) =>
      groups(
        `SELECT project_id, group_type_index, group_key, epoch_us(created_at)::DOUBLE, properties FROM groups
         WHERE project_id = $projectId AND group_type_index = $groupTypeIndex`,
        { projectId, groupTypeIndex },
      ),
    async append(changed, deleted) {
      version++;
      await appenders.append('groups_recent', [
        ...changed.map((group) => cells(version, group, false)),
        ...deleted.map((group) => cells(version, { ...group, properties: '{}' }, true)),
      ]);
      recent += changed.length + deleted.length;
    },
    async insertTypes(types) {
      for (const { projectId, groupTypeIndex, groupType, createdAt } of types) {
        await connection.run(
          `INSERT INTO group_types VALUES ($projectId, $groupTypeIndex, $groupType, NULL, NULL, make_timestamp($createdAt::BIGINT))`,
          { projectId, groupTypeIndex, groupType, createdAt },
        );
      }
    },
    async deleteType(projectId, groupTypeIndex) {
      await connection.run(
        'DELETE FROM group_types WHERE project_id = $projectId AND group_type_index = $groupTypeIndex',
        { projectId, groupTypeIndex },
      );
    },
    async renameType(projectId, groupTypeIndex, names) {
      for (const [column, name] of [
        ['name_singular', names.nameSingular],
        ['name_plural', names.namePlural],
      ] as const) {
        if (name === undefined) continue;
        await connection.run(
          `UPDATE group_types SET ${column} = $name::VARCHAR
           WHERE project_id = $projectId AND group_type_index = $groupTypeIndex`,
          { name, projectId, groupTypeIndex },
        );
      }
    },
    async maintain(isQuiet) {
      if (recent >= (isQuiet ? SETTLE_QUIET_ROWS : SETTLE_LOADED_ROWS)) await settleGroups();
    },
    settle: settleGroups,
    close() {
      appenders.close();
      beside.closeSync();
    },
  };
}

function cells(version: number, group: StoredGroup, isDeleted: boolean) {
  const { projectId, groupTypeIndex, groupKey, createdAt, properties } = group;
  return [version, projectId, groupTypeIndex, groupKey, createdAt, properties, isDeleted];
}

import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { GroupName, GroupTables } from '../../warehouse/duckdb/group-tables.ts';
import type { GroupUnitOfWork } from './group-unit-of-work.ts';

/** Looks up groups as the last commit left them; between two commits only. */
export interface GroupLookup {
  /** Properties as JSON text in the order of the names, with one statement at most; null for a group that is not there. */
  find(names: readonly GroupName[]): Promise<(string | null)[]>;
  /** The project's types by their index. */
  typesOf(projectId: number): (string | undefined)[];
}

/** Makes the lookup over what the commits know. */
export function createGroupLookup(
  unit: GroupUnitOfWork,
  tables: Pick<GroupTables, 'readGroups'>,
): GroupLookup {
  return {
    async find(names) {
      const found = new Map<string, string | null>();
      const missing = names.filter((name) => {
        const group = unit.cached(name);
        if (group !== undefined)
          found.set(keyOf(name), group === null ? null : stringifyExactly(group.properties));
        return group === undefined;
      });
      for (const group of await tables.readGroups(missing)) found.set(keyOf(group), group.properties);
      return names.map((name) => found.get(keyOf(name)) ?? null);
    },
    typesOf: (projectId) => unit.typesOf(projectId),
  };
}

function keyOf({ projectId, groupTypeIndex, groupKey }: GroupName): string {
  return `${projectId} ${groupTypeIndex} ${groupKey}`;
}

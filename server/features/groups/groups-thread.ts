import { parseExactly } from '../../lib/exact-number.contract.ts';
import { jsonText } from '../../lib/json-text.ts';
import { growthOf, MAX_PROPERTIES_SIZE } from '../../lib/properties-size.ts';
import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { EventRow, IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import { requestErasure } from '../../warehouse/duckdb/erasure-requests.ts';
import { openGroupTables, type GroupName, type StoredGroup } from '../../warehouse/duckdb/group-tables.ts';
import { withMembers, type JsonSlice } from '../../warehouse/duckdb/json-slice.ts';
import {
  createGroupUnitOfWork,
  type GroupProperties,
  type GroupState,
  type CommittedGroups,
} from './group-unit-of-work.ts';
import { createGroupLookup, type GroupLookup } from './group-lookup.ts';
import type { GroupCreated, GroupOrderOf, GroupSet } from './group-orders.ts';

/** Longer keys are ignored, with a warning (ingestion contract 6.7). */
const MAX_KEY_LENGTH = 400;

/** Why an event is not counted for a group that it names. */
export type GroupRefusal =
  'group_key_too_long' | 'group_type_limit_reached' | 'group_properties_size_violation';

/** What others do about groups. */
export interface GroupHooks {
  /** Called for each rejected $groupidentify. */
  onRefusal(row: EventRow, refusal: GroupRefusal, type: string): void;
  /** Called for every change, after the commit and before it is acknowledged. */
  onCommitted(kept: CommittedGroups): void;
}

/** The part of groups that lives in the thread of the database. */
export interface GroupsThread extends CommitParticipant {
  readonly lookup: GroupLookup;
}

/**
 * Groups in the commits of their events: `$groupidentify` writes a group, `$groups` of any event gives it `$group_0` to
 * `$group_4`, in the same transaction and in order of arrival (ingestion contract 6.7, 6.7a).
 */
export async function openGroups(context: ParticipantContext, hooks: GroupHooks): Promise<GroupsThread> {
  const { connection, clock } = context;
  const tables = await openGroupTables(connection, await context.connect(), context.writeLock, context.hold);
  const unit = createGroupUnitOfWork(await tables.readTypes());
  let refusals: [EventRow, GroupRefusal, string][] = [];
  /** Rows of the commit under way as they were before it. */
  let before: [EventRow, EventRow['properties'], EventRow['addedProperties']][] = [];
  /** Projects that the commit under way gives a type. */
  let typedProjects: number[] = [];

  async function learn(names: readonly GroupName[]): Promise<void> {
    const missing = unit.load(names);
    unit.addLoaded(missing, (await tables.readGroups(missing)).map(stateOf));
  }

  function indexFor(row: EventRow, type: string, key: string): number | null {
    if (key.length > MAX_KEY_LENGTH) {
      refusals.push([row, 'group_key_too_long', type]);
      return null;
    }
    const index = unit.claimIndex(row.projectId, type, row.timestamp);
    if (index === null) refusals.push([row, 'group_type_limit_reached', type]);
    return index;
  }

  function applyGroups(row: EventRow, groups: Readonly<Record<string, string>>): void {
    const members: [string, string][] = [];
    for (const [type, key] of Object.entries(groups)) {
      const index = indexFor(row, type, key);
      if (index !== null) members.push([`$group_${index}`, key]);
    }
    if (members.length === 0) return;
    before.push([row, row.properties, row.addedProperties]);
    row.properties = withGroups(row.properties, members);
    row.addedProperties = [...row.addedProperties, ...members.map(([name, value]) => ({ name, value }))];
  }

  function applyIdentify(row: EventRow, identify: NonNullable<IdentityUpdate['groupIdentify']>): void {
    const groupTypeIndex = indexFor(row, identify.type, identify.key);
    identify.typeIndex = groupTypeIndex;
    if (groupTypeIndex === null) return;
    const name = { projectId: row.projectId, groupTypeIndex, groupKey: identify.key };
    if (unit.find(name) === null) unit.put({ ...name, createdAt: row.timestamp, properties: {}, size: 0 });
    if (!change(unit.edit(name)!, identify.set, null)) {
      refusals.push([row, 'group_properties_size_violation', identify.type]);
    }
  }

  async function write(): Promise<void> {
    const { changed: groups, removed, types } = unit.changes();
    typedProjects = types.map(({ projectId }) => projectId);
    await tables.insertTypes(types);
    await tables.append(groups.map(storedOf), removed.map(storedOf));
  }

  function committed(): void {
    hooks.onCommitted(unit.commit());
    for (const projectId of typedProjects) context.typesChanged(projectId);
    typedProjects = [];
    for (const refusal of refusals) hooks.onRefusal(...refusal);
    refusals = [];
    before = [];
  }

  function rolledBack(): void {
    unit.rollback();
    typedProjects = [];
    for (const [row, properties, addedProperties] of before)
      Object.assign(row, { properties, addedProperties });
    refusals = [];
    before = [];
  }

  /** Changes groups by an order; `more` runs further statements in it. */
  function order<T>(
    projectId: number,
    read: () => Promise<void>,
    change: () => T,
    more: (result: T) => Promise<void> = async () => {},
  ): Promise<T> {
    return context.order({
      projectId,
      read,
      async work() {
        const result = change();
        if (unit.hasChanges) await write();
        await more(result);
        return result;
      },
      committed,
      rolledBack,
    });
  }

  function create(request: GroupOrderOf<'groups.create'>): Promise<GroupCreated> {
    const { projectId, groupTypeIndex, groupKey } = request;
    const properties = parseExactly(request.properties) as GroupProperties;
    const name = { projectId, groupTypeIndex, groupKey };
    return order(
      projectId,
      () => learn([name]),
      () => {
        if (!unit.hasIndex(projectId, groupTypeIndex)) return 'no_type';
        if (unit.find(name) !== null) return 'exists';
        const size = growthOf({}, Object.entries(properties), []);
        if (size > MAX_PROPERTIES_SIZE) return 'too_large';
        unit.put({ ...name, createdAt: clock() * 1_000, properties, size });
        return 'created';
      },
    );
  }

  function set({ projectId, groupTypeIndex, groupKey, set: values, unset }: GroupOrderOf<'groups.set'>) {
    const name = { projectId, groupTypeIndex, groupKey };
    return order<GroupSet>(
      projectId,
      () => learn([name]),
      () => {
        const group = unit.edit(name);
        if (group === null) return 'not_found';
        return change(group, values === null ? null : (parseExactly(values) as GroupProperties), unset)
          ? 'set'
          : 'too_large';
      },
    );
  }

  /** Makes types that no event has named yet; null where the project has five others. */
  function claimTypes({ projectId, groupTypes }: GroupOrderOf<'group_types.claim'>) {
    return order(
      projectId,
      async () => {},
      () => groupTypes.map((type) => unit.claimIndex(projectId, type, clock() * 1_000)),
    );
  }

  async function deleteType({ projectId, groupTypeIndex }: GroupOrderOf<'group_types.delete'>) {
    let groups: GroupState[] = [];
    return await order(
      projectId,
      async () => {
        groups = (await tables.readGroupsOfType(projectId, groupTypeIndex)).map(stateOf);
      },
      () => {
        const isKnown = unit.hasIndex(projectId, groupTypeIndex);
        unit.forgetType(projectId, groupTypeIndex);
        for (const group of groups) unit.remove(group);
        return isKnown;
      },
      async () => {
        await tables.deleteType(projectId, groupTypeIndex);
        await requestErasure(connection, clock());
      },
    );
  }

  function rename(request: GroupOrderOf<'group_types.rename'>) {
    const { projectId, groupTypeIndex } = request;
    return order(
      projectId,
      async () => {},
      () => unit.hasIndex(projectId, groupTypeIndex),
      () => tables.renameType(projectId, groupTypeIndex, request),
    );
  }

  return {
    lookup: createGroupLookup(unit, tables),
    prepare(rows) {
      const names: GroupName[] = [];
      for (const { projectId, identity } of rows) {
        const identify = identity?.groupIdentify ?? null;
        if (identify === null) continue;
        const groupTypeIndex = unit.indexOf(projectId, identify.type);
        // A group of a type that is not known yet does not exist.
        if (groupTypeIndex !== null) names.push({ projectId, groupTypeIndex, groupKey: identify.key });
      }
      return names.length === 0 ? null : learn(names);
    },
    apply(rows) {
      for (const row of rows) {
        const { identity } = row;
        if (identity === null) continue;
        if (identity.groupIdentify !== null) applyIdentify(row, identity.groupIdentify);
        if (identity.groups !== null) applyGroups(row, identity.groups);
      }
    },
    write: () => (unit.hasChanges ? write() : null),
    committed,
    rolledBack,
    maintain: (isQuiet) => tables.maintain(isQuiet),
    settle: () => tables.settle(),
    forgetProject: (projectId) => context.betweenCommits(async () => unit.forgetProject(projectId)),
    // Flags and insights reference a type by its index, which is only stored in its row.
    beforeWipe: async (projectId) => () => unit.forgetGroups(projectId),
    calls: {
      'groups.create': create,
      'groups.set': set,
      'group_types.claim': claimTypes,
      'group_types.delete': deleteType,
      'group_types.rename': rename,
    },
    async close() {
      tables.close();
    },
  };
}

/** The properties with `$group_N` in them, over what the sender may have put there itself. */
function withGroups(
  properties: string | JsonSlice,
  members: readonly (readonly [string, string])[],
): string | JsonSlice {
  if (typeof properties === 'string' && properties.includes('"$group_')) {
    const own = parseExactly(properties) as GroupProperties;
    return jsonText({ ...own, ...Object.fromEntries(members) });
  }
  return withMembers(properties, members.map(([name, key]) => `"${name}":${JSON.stringify(key)}`).join(','));
}

/** Changes a group that belongs to the commit; returns false, with nothing changed, when it would grow too large. */
function change(
  group: GroupState,
  set: Readonly<GroupProperties> | null,
  unset: readonly string[] | null,
): boolean {
  const { properties } = group;
  const put = Object.entries(set ?? {});
  const growth = growthOf(properties, put, unset ?? []);
  if (growth > 0 && group.size + growth > MAX_PROPERTIES_SIZE) return false;
  for (const [name, value] of put) properties[name] = value;
  for (const name of unset ?? []) delete properties[name];
  group.size += growth;
  return true;
}

function stateOf(stored: StoredGroup): GroupState {
  const { properties } = stored;
  return { ...stored, properties: parseExactly(properties) as GroupProperties, size: properties.length };
}

function storedOf(group: GroupState): StoredGroup {
  return { ...group, properties: jsonText(group.properties) };
}

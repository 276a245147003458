import type { GroupName, StoredGroupType } from '../../warehouse/duckdb/group-tables.ts';

/** Maximum number of group types of a project, with indexes from 0 (ingestion contract 6.7). */
const TYPES_LIMIT = 5;
/** Groups cached between commits. */
const CACHED = 5_000;

export type GroupProperties = Record<string, unknown>;

export interface GroupState extends GroupName {
  /** Unix microseconds. */
  createdAt: number;
  readonly properties: GroupProperties;
  /** Of the properties, in characters of JSON text, about. */
  size: number;
}

/** The committed changes of a commit or order. */
export interface CommittedGroups {
  /** Written or removed. */
  readonly groups: readonly GroupName[];
  /** Projects with added or deleted group types. */
  readonly projectsOfTypes: ReadonlySet<number>;
}

/** The groups and group types loaded and changed by one commit, which are committed or rolled back as a whole. */
export interface GroupUnitOfWork {
  /** The index of a type, or null when the project has none of that name. */
  indexOf(projectId: number, groupType: string): number | null;
  /** As `indexOf`, creating the type; null when the project already has five others. */
  claimIndex(projectId: number, groupType: string, at: number): number | null;
  hasIndex(projectId: number, groupTypeIndex: number): boolean;
  /** Names of a project's types by their index. */
  typesOf(projectId: number): (string | undefined)[];
  forgetType(projectId: number, groupTypeIndex: number): void;
  /** Drops all types and groups of a project from memory; between two commits. */
  forgetProject(projectId: number): void;
  /** Drops the groups of a project from memory but not its types; between two commits. */
  forgetGroups(projectId: number): void;
  /** The cached group, between two commits; null when it does not exist, undefined when it is not cached. */
  cached(name: GroupName): GroupState | null | undefined;
  /** Loads these groups from the cache until the commit ends; returns those that are not cached. */
  load(names: readonly GroupName[]): GroupName[];
  /** Adds stored groups until the commit ends; those of `names` without a group do not exist. */
  addLoaded(names: readonly GroupName[], groups: readonly GroupState[]): void;
  /** A loaded or changed group; null when there is none. */
  find(name: GroupName): GroupState | null;
  /** As `find`, returning a copy that may be modified. */
  edit(name: GroupName): GroupState | null;
  put(group: GroupState): void;
  remove(group: GroupState): void;
  changes(): {
    changed: readonly GroupState[];
    removed: readonly GroupState[];
    types: readonly StoredGroupType[];
  };
  readonly hasChanges: boolean;
  /** Makes all changes since the last `commit` or `rollback` permanent; returns them. */
  commit(): CommittedGroups;
  rollback(): void;
}

export function createGroupUnitOfWork(stored: readonly StoredGroupType[]): GroupUnitOfWork {
  /** Indexes by project and type. */
  const indexes = new Map<number, Map<string, number>>();
  /** Groups by name; null: known not to exist. */
  const cache = new Map<string, GroupState | null>();
  let loaded = new Map<string, GroupState | null>();
  let working = new Map<string, GroupState | null>();
  let removed: GroupState[] = [];
  let types: StoredGroupType[] = [];
  let projectsOfTypes = new Set<number>();
  let undo: (() => void)[] = [];
  for (const { projectId, groupType, groupTypeIndex } of stored)
    typesOf(projectId).set(groupType, groupTypeIndex);

  function typesOf(projectId: number): Map<string, number> {
    let own = indexes.get(projectId);
    if (own === undefined) indexes.set(projectId, (own = new Map()));
    return own;
  }

  function cacheGroup(key: string, group: GroupState | null): void {
    cache.delete(key);
    cache.set(key, group);
    if (cache.size > CACHED) cache.delete(cache.keys().next().value!);
  }

  function find(name: GroupName): GroupState | null {
    const key = keyOf(name);
    const changed = working.get(key);
    return (changed === undefined ? loaded.get(key) : changed) ?? null;
  }

  function forgetGroups(projectId: number): void {
    for (const key of cache.keys()) if (key.startsWith(`${projectId} `)) cache.delete(key);
  }

  function start(): void {
    loaded = new Map();
    working = new Map();
    removed = [];
    types = [];
    projectsOfTypes = new Set();
    undo = [];
  }

  return {
    get hasChanges() {
      return working.size > 0 || types.length > 0;
    },
    indexOf: (projectId, groupType) => indexes.get(projectId)?.get(groupType) ?? null,
    claimIndex(projectId, groupType, at) {
      const own = typesOf(projectId);
      const index = own.get(groupType);
      if (index !== undefined) return index;
      const free = freeIndex(own);
      if (free === null) return null;
      own.set(groupType, free);
      undo.push(() => own.delete(groupType));
      types.push({ projectId, groupType, groupTypeIndex: free, createdAt: at });
      projectsOfTypes.add(projectId);
      return free;
    },
    typesOf(projectId) {
      const names: (string | undefined)[] = [];
      for (const [type, index] of indexes.get(projectId) ?? []) names[index] = type;
      return names;
    },
    hasIndex: (projectId, groupTypeIndex) => [...typesOf(projectId).values()].includes(groupTypeIndex),
    forgetType(projectId, groupTypeIndex) {
      const own = typesOf(projectId);
      for (const [type, index] of own) {
        if (index !== groupTypeIndex) continue;
        projectsOfTypes.add(projectId);
        own.delete(type);
        undo.push(() => own.set(type, index));
      }
    },
    forgetProject(projectId) {
      indexes.delete(projectId);
      forgetGroups(projectId);
    },
    forgetGroups,
    cached: (name) => cache.get(keyOf(name)),
    load(names) {
      return names.filter((name) => {
        const key = keyOf(name);
        const group = cache.get(key);
        if (group !== undefined) loaded.set(key, group);
        return group === undefined;
      });
    },
    addLoaded(names, groups) {
      for (const name of names) loaded.set(keyOf(name), null);
      for (const group of groups) loaded.set(keyOf(group), group);
    },
    find,
    edit(name) {
      const group = find(name);
      if (group === null || working.has(keyOf(name))) return group;
      const copy = { ...group, properties: copyOf(group.properties) };
      working.set(keyOf(name), copy);
      return copy;
    },
    put: (group) => void working.set(keyOf(group), { ...group, properties: copyOf(group.properties) }),
    remove(group) {
      working.set(keyOf(group), null);
      removed.push(group);
    },
    changes: () => ({
      changed: [...working.values()].filter((group) => group !== null),
      removed,
      types,
    }),
    commit() {
      for (const [key, group] of loaded) cacheGroup(key, group);
      for (const [key, group] of working) cacheGroup(key, group);
      const changed = [...working.values()].filter((group) => group !== null);
      const kept = { groups: [...changed, ...removed], projectsOfTypes };
      start();
      return kept;
    },
    rollback() {
      for (let last = undo.pop(); last !== undefined; last = undo.pop()) last();
      start();
    },
  };
}

/** The next unused index; indexes of deleted types are reused only when no other is left. */
function freeIndex(own: ReadonlyMap<string, number>): number | null {
  const taken = new Set(own.values());
  const next = Math.max(-1, ...taken) + 1;
  if (next < TYPES_LIMIT) return next;
  for (let index = 0; index < TYPES_LIMIT; index++) if (!taken.has(index)) return index;
  return null;
}

function keyOf({ projectId, groupTypeIndex, groupKey }: GroupName): string {
  return `${projectId} ${groupTypeIndex} ${groupKey}`;
}

/** A copy without a prototype, in which `__proto__` is a name like any other. */
function copyOf(properties: Readonly<GroupProperties>): GroupProperties {
  return Object.assign(Object.create(null) as GroupProperties, properties);
}

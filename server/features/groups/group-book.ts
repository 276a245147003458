import type { GroupName, StoredGroupType } from '../../warehouse/duckdb/group-tables.ts';

/** A project has at most so many types of groups, with indexes from 0 (ingestion contract 6.7). */
const TYPES_LIMIT = 5;
/** Groups remembered between commits. */
const CACHED = 5_000;

export type GroupProperties = Record<string, unknown>;

/** A group as the commits know it. */
export interface GroupState extends GroupName {
  /** Unix microseconds. */
  createdAt: number;
  readonly properties: GroupProperties;
  /** Of the properties, in characters of JSON text, about. */
  size: number;
}

/** What a commit, or an order, has changed and what holds from now on. */
export interface KeptGroups {
  /** Written or removed. */
  readonly groups: readonly GroupName[];
  /** Projects that have got or lost a type. */
  readonly projectsOfTypes: ReadonlySet<number>;
}

/** The groups and types that a commit works on. What it changes can be kept or taken back as a whole. */
export interface GroupBook {
  /** The index of a type, or null when the project has none of that name. */
  indexOf(projectId: number, groupType: string): number | null;
  /** The same, making the type when there is room; null when the project has five others. */
  claimIndex(projectId: number, groupType: string, at: number): number | null;
  hasIndex(projectId: number, groupTypeIndex: number): boolean;
  /** Names of a project's types by their index. */
  typesOf(projectId: number): (string | undefined)[];
  forgetType(projectId: number, groupTypeIndex: number): void;
  /** Lets go of all types and groups of a project; between two commits. */
  forgetProject(projectId: number): void;
  /** Lets go of the groups of a project and keeps its types; between two commits. */
  forgetGroups(projectId: number): void;
  /** Between two commits: what is remembered of a group; undefined when nothing is, null when it does not exist. */
  recall(name: GroupName): GroupState | null | undefined;
  /** Holds what is known of these groups until the commit ends; returns those of which nothing is known. */
  hold(names: readonly GroupName[]): GroupName[];
  /** Tells of groups as they are stored, until the commit ends; those of `names` that are not among them do not exist. */
  learn(names: readonly GroupName[], groups: readonly GroupState[]): void;
  /** A group that is held or was changed in this commit; null when there is none. */
  find(name: GroupName): GroupState | null;
  /** As `find`, for changes: it and its properties belong to this commit. */
  edit(name: GroupName): GroupState | null;
  put(group: GroupState): void;
  remove(group: GroupState): void;
  changes(): {
    changed: readonly GroupState[];
    removed: readonly GroupState[];
    types: readonly StoredGroupType[];
  };
  readonly hasChanges: boolean;
  /** Everything since the last call of `keep` or `takeBack` holds; returns what that was. */
  keep(): KeptGroups;
  takeBack(): void;
}

/** Makes the book over the types that are stored. */
export function createGroupBook(stored: readonly StoredGroupType[]): GroupBook {
  /** Indexes by project and type. */
  const indexes = new Map<number, Map<string, number>>();
  /** Groups by name; null: known not to exist. */
  const known = new Map<string, GroupState | null>();
  let held = new Map<string, GroupState | null>();
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

  function remember(key: string, group: GroupState | null): void {
    known.delete(key);
    known.set(key, group);
    if (known.size > CACHED) known.delete(known.keys().next().value!);
  }

  function find(name: GroupName): GroupState | null {
    const key = keyOf(name);
    const changed = working.get(key);
    return (changed === undefined ? held.get(key) : changed) ?? null;
  }

  function forgetGroups(projectId: number): void {
    for (const key of known.keys()) if (key.startsWith(`${projectId} `)) known.delete(key);
  }

  function start(): void {
    held = new Map();
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
    recall: (name) => known.get(keyOf(name)),
    hold(names) {
      return names.filter((name) => {
        const key = keyOf(name);
        const group = known.get(key);
        if (group !== undefined) held.set(key, group);
        return group === undefined;
      });
    },
    learn(names, groups) {
      for (const name of names) held.set(keyOf(name), null);
      for (const group of groups) held.set(keyOf(group), group);
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
    keep() {
      for (const [key, group] of held) remember(key, group);
      for (const [key, group] of working) remember(key, group);
      const changed = [...working.values()].filter((group) => group !== null);
      const kept = { groups: [...changed, ...removed], projectsOfTypes };
      start();
      return kept;
    },
    takeBack() {
      for (let last = undo.pop(); last !== undefined; last = undo.pop()) last();
      start();
    },
  };
}

/** The next index in order of first sight; one whose type was deleted only when no other is left. */
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

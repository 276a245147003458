import type { GroupName } from '../../warehouse/duckdb/group-tables.ts';
import type { DistinctName, Stale } from './flag-subjects-messages.ts';

/** So many persons, and as many distinct ids without one, and groups, are remembered as given out: what the memory holds. */
const LIMIT = 200_000;

/** What the server's thread was given and may hold in memory; what changes of it is old there. */
export interface GivenOut {
  /** Nothing was given out, so that no change is worth a look. */
  readonly isEmpty: boolean;
  person(id: number): void;
  /** A distinct id without a person: unseen, or seen with anonymous events alone. */
  withoutPerson(name: DistinctName): void;
  group(name: GroupName): void;
  types(projectId: number): void;
  personChanged(id: number): void;
  distinctIdChanged(projectId: number, distinctId: string): void;
  groupChanged(name: GroupName): void;
  typesChanged(projectId: number): void;
  projectGone(projectId: number): void;
  addressesChanged(): void;
  /** What has become old since the last call, or null. */
  takeStale(): Stale | null;
}

/** Makes the memory of what was given out, which never forgets anything that it has not called old. */
export function createGivenOut(limit = LIMIT): GivenOut {
  const persons = new Set<number>();
  const withoutPerson = new Map<string, DistinctName>();
  const groups = new Map<string, GroupName>();
  const types = new Set<number>();
  let stale: Stale | null = null;

  function old(): Stale {
    return (stale ??= {
      kind: 'stale',
      personIds: [],
      distinctIds: [],
      groups: [],
      types: [],
      projects: [],
      addresses: false,
    });
  }

  function personChanged(id: number): void {
    if (persons.delete(id)) old().personIds.push(id);
  }

  function nameChanged(key: string): void {
    const name = withoutPerson.get(key);
    if (name === undefined) return;
    withoutPerson.delete(key);
    old().distinctIds.push(name);
  }

  function groupChanged(key: string): void {
    const name = groups.get(key);
    if (name === undefined) return;
    groups.delete(key);
    old().groups.push(name);
  }

  return {
    get isEmpty() {
      return persons.size === 0 && withoutPerson.size === 0 && groups.size === 0 && types.size === 0;
    },
    person(id) {
      persons.add(id);
      if (persons.size > limit) personChanged(persons.values().next().value!);
    },
    withoutPerson(name) {
      withoutPerson.set(nameKey(name.projectId, name.distinctId), name);
      if (withoutPerson.size > limit) nameChanged(withoutPerson.keys().next().value!);
    },
    group(name) {
      groups.set(groupKey(name), name);
      if (groups.size > limit) groupChanged(groups.keys().next().value!);
    },
    types: (projectId) => void types.add(projectId),
    personChanged,
    distinctIdChanged(projectId, distinctId) {
      if (withoutPerson.size > 0) nameChanged(nameKey(projectId, distinctId));
    },
    groupChanged(name) {
      if (groups.size > 0) groupChanged(groupKey(name));
    },
    typesChanged(projectId) {
      if (types.delete(projectId)) old().types.push(projectId);
    },
    projectGone(projectId) {
      types.delete(projectId);
      for (const [key, name] of withoutPerson) if (name.projectId === projectId) withoutPerson.delete(key);
      for (const [key, name] of groups) if (name.projectId === projectId) groups.delete(key);
      old().projects.push(projectId);
    },
    addressesChanged: () => void (old().addresses = true),
    takeStale() {
      const taken = stale;
      stale = null;
      return taken;
    },
  };
}

function nameKey(projectId: number, distinctId: string): string {
  return `${projectId} ${distinctId}`;
}

function groupKey({ projectId, groupTypeIndex, groupKey: key }: GroupName): string {
  return `${projectId} ${groupTypeIndex} ${key}`;
}

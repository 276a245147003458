import type { GroupName } from '../../../warehouse/duckdb/group-tables.ts';
import type { DistinctName, Invalidations } from './flag-subjects-messages.ts';

/** Maximum number of persons, of distinct IDs without a person and of groups: the size of the server's cache. */
const LIMIT = 200_000;

/** Entries that the server thread may have cached. Changes to them are collected as invalidations. */
export interface SharedEntries {
  /** True when nothing is shared, so changes can be ignored. */
  readonly isEmpty: boolean;
  person(id: number): void;
  /** A distinct ID without a person: unused, or only with anonymous events. */
  withoutPerson(name: DistinctName): void;
  group(name: GroupName): void;
  types(projectId: number): void;
  personChanged(id: number): void;
  distinctIdChanged(projectId: number, distinctId: string): void;
  groupChanged(name: GroupName): void;
  typesChanged(projectId: number): void;
  projectDeleted(projectId: number): void;
  addressesChanged(): void;
  /** The invalidations since the last call, or null. */
  drainInvalidations(): Invalidations | null;
}

/** Evicts the oldest entries beyond `limit` by invalidating them. */
export function createSharedEntries(limit = LIMIT): SharedEntries {
  const persons = new Set<number>();
  const withoutPerson = new Map<string, DistinctName>();
  const groups = new Map<string, GroupName>();
  const types = new Set<number>();
  let invalidations: Invalidations | null = null;

  function pending(): Invalidations {
    return (invalidations ??= {
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
    if (persons.delete(id)) pending().personIds.push(id);
  }

  function nameChanged(key: string): void {
    const name = withoutPerson.get(key);
    if (name === undefined) return;
    withoutPerson.delete(key);
    pending().distinctIds.push(name);
  }

  function groupChanged(key: string): void {
    const name = groups.get(key);
    if (name === undefined) return;
    groups.delete(key);
    pending().groups.push(name);
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
      if (types.delete(projectId)) pending().types.push(projectId);
    },
    projectDeleted(projectId) {
      types.delete(projectId);
      for (const [key, name] of withoutPerson) if (name.projectId === projectId) withoutPerson.delete(key);
      for (const [key, name] of groups) if (name.projectId === projectId) groups.delete(key);
      pending().projects.push(projectId);
    },
    addressesChanged: () => void (pending().addresses = true),
    drainInvalidations() {
      const taken = invalidations;
      invalidations = null;
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

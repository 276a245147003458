import { storedText } from '../capture/index.ts';
import type { FlagContext } from '../../conditions/index.ts';
import type { FlagSubjects, GroupSubject, Soon, Subject } from '../flag-subjects/index.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import type { FlagsRequest } from './decide.contract.ts';

/** A group that the request names, of a type that the project has. */
export interface KnownGroup {
  readonly type: string;
  readonly key: string;
  readonly stored: GroupSubject | null;
}

/** What is stored about whom a request asks for. */
export interface Known {
  readonly person: Subject | null;
  /** Of the anonymous distinct id, where a flag keeps its answer over sign-in. */
  readonly anonymous: Subject | null;
  readonly groupTypes: readonly (string | undefined)[];
  readonly groups: readonly KnownGroup[];
  readonly location: GeoipProperties | null;
}

/** What of it is worth looking for. */
export interface Looked {
  readonly projectId: number;
  readonly person: boolean;
  readonly anonymous: boolean;
  readonly groups: boolean;
  /** The address whose location is wanted, or null. */
  readonly ip: string | null;
}

type KnownGroups = Pick<Known, 'groupTypes' | 'groups'>;

const NO_GROUPS: KnownGroups = { groupTypes: [], groups: [] };

/** Finds it in memory, or with one look-up for all of it. Rejects when the store cannot be read. */
export function findKnown(subjects: FlagSubjects, request: FlagsRequest, looked: Looked): Soon<Known> {
  const { projectId, ip } = looked;
  const person = looked.person ? subjects.person(projectId, request.distinctId) : null;
  const anonymous =
    looked.anonymous && request.anonDistinctId !== null
      ? subjects.person(projectId, request.anonDistinctId)
      : null;
  const inGroups = looked.groups ? findGroups(subjects, projectId, request.groups) : NO_GROUPS;
  const location = ip === null ? null : subjects.location(ip);
  if (
    person instanceof Promise ||
    anonymous instanceof Promise ||
    inGroups instanceof Promise ||
    location instanceof Promise
  ) {
    return Promise.all([person, anonymous, inGroups, location]).then(
      ([knownPerson, knownAnonymous, knownGroups, place]) => ({
        person: knownPerson,
        anonymous: knownAnonymous,
        ...knownGroups,
        location: place,
      }),
    );
  }
  return { person, anonymous, ...inGroups, location };
}

function findGroups(
  subjects: FlagSubjects,
  projectId: number,
  keys: Readonly<Record<string, string>>,
): Soon<KnownGroups> {
  const groupTypes = subjects.groupTypes(projectId);
  if (groupTypes === null) return findGroupsByType(subjects, projectId, keys);
  const groups: Soon<KnownGroup>[] = [];
  let isWaiting = false;
  groupTypes.forEach((type, index) => {
    if (type === undefined || !Object.hasOwn(keys, type)) return;
    const key = storedText(keys[type]!);
    const stored = subjects.group(projectId, index, key);
    if (stored instanceof Promise) {
      isWaiting = true;
      groups.push(stored.then((found) => ({ type, key, stored: found })));
    } else groups.push({ type, key, stored });
  });
  if (!isWaiting) return { groupTypes, groups: groups as KnownGroup[] };
  return Promise.all(groups.map(async (group) => await group)).then((found) => ({
    groupTypes,
    groups: found,
  }));
}

/** The first who asks for groups of a project learns of which types there are by the same look-up. */
async function findGroupsByType(
  subjects: FlagSubjects,
  projectId: number,
  keys: Readonly<Record<string, string>>,
): Promise<KnownGroups> {
  const named = new Map(Object.entries(keys).map(([type, key]) => [type, storedText(key)]));
  const found = await subjects.groupsByType(projectId, [...named]);
  const groups = found.types.flatMap((type, index): KnownGroup[] => {
    const key = type === undefined ? undefined : named.get(type);
    return key === undefined ? [] : [{ type: type!, key, stored: found.groups.get(index) ?? null }];
  });
  return { groupTypes: found.types, groups };
}

/** Lays what the request says over what was found (ingestion contract 7.10, 7.11). */
export function contextOf(
  request: FlagsRequest,
  known: Known,
  rest: Pick<FlagContext, 'set' | 'now' | 'trace'>,
): FlagContext {
  const { person, anonymous, groupTypes, location } = known;
  return {
    set: rest.set,
    now: rest.now,
    trace: rest.trace,
    distinctId: request.distinctId,
    anonDistinctId: request.anonDistinctId,
    deviceId: request.deviceId,
    hashKeys: hashKeysOf(person, anonymous),
    person: { request: request.personProperties, geoip: location, stored: person?.properties ?? null },
    groupTypes,
    groups: known.groups.length === 0 ? NO_LAYERS : layersOf(known.groups, request),
    memberOf: person?.memberOf ?? null,
  };
}

const NO_LAYERS: FlagContext['groups'] = new Map();

function layersOf(groups: readonly KnownGroup[], { groupProperties }: FlagsRequest): FlagContext['groups'] {
  return new Map(
    groups.map(({ type, key, stored }) => {
      const request = Object.hasOwn(groupProperties, type) ? groupProperties[type]! : null;
      return [type, { key, properties: { request, geoip: null, stored: stored?.properties ?? null } }];
    }),
  );
}

/** Those of the person go before those of the anonymous one, who will be merged into it. */
export function hashKeysOf(
  person: Subject | null,
  anonymous: Subject | null,
): ReadonlyMap<string, string> | null {
  const own = person?.hashKeys ?? null;
  const other = anonymous?.hashKeys ?? null;
  if (other === null || other.size === 0) return own;
  return own === null || own.size === 0 ? other : new Map([...other, ...own]);
}

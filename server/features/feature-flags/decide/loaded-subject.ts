import { storedText } from '../../capture/index.ts';
import type { FlagContext } from '../../../conditions/index.ts';
import type { FlagSubjects, GroupSubject, MaybePromise, Subject } from '../subjects/subject.ts';
import type { GeoipProperties } from '../../geoip/index.ts';
import type { FlagsRequest } from './decide.contract.ts';

/** A group in the request whose type exists in the project. */
export interface LoadedGroup {
  readonly type: string;
  readonly key: string;
  readonly stored: GroupSubject | null;
}

/** The stored data for the subject of a request. */
export interface LoadedSubject {
  readonly person: Subject | null;
  /** The person of the anonymous distinct ID, for flags with experience continuity. */
  readonly anonymous: Subject | null;
  readonly groupTypes: readonly (string | undefined)[];
  readonly groups: readonly LoadedGroup[];
  readonly location: GeoipProperties | null;
}

/** Which data to load. */
export interface SubjectQuery {
  readonly projectId: number;
  readonly person: boolean;
  readonly anonymous: boolean;
  readonly groups: boolean;
  /** The address to locate, or null. */
  readonly ip: string | null;
}

type LoadedGroups = Pick<LoadedSubject, 'groupTypes' | 'groups'>;

const NO_GROUPS: LoadedGroups = { groupTypes: [], groups: [] };

/** Loads the subject from memory, or with a single lookup. Rejects when the store cannot be read. */
export function loadSubject(
  subjects: FlagSubjects,
  request: FlagsRequest,
  query: SubjectQuery,
): MaybePromise<LoadedSubject> {
  const { projectId, ip } = query;
  const person = query.person ? subjects.person(projectId, request.distinctId) : null;
  const anonymous =
    query.anonymous && request.anonDistinctId !== null
      ? subjects.person(projectId, request.anonDistinctId)
      : null;
  const inGroups = query.groups ? findGroups(subjects, projectId, request.groups) : NO_GROUPS;
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
): MaybePromise<LoadedGroups> {
  const groupTypes = subjects.groupTypes(projectId);
  if (groupTypes === null) return findGroupsByType(subjects, projectId, keys);
  const groups: MaybePromise<LoadedGroup>[] = [];
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
  if (!isWaiting) return { groupTypes, groups: groups as LoadedGroup[] };
  return Promise.all(groups.map(async (group) => await group)).then((found) => ({
    groupTypes,
    groups: found,
  }));
}

/** Loads group types and groups in one lookup, when the types are not cached. */
async function findGroupsByType(
  subjects: FlagSubjects,
  projectId: number,
  keys: Readonly<Record<string, string>>,
): Promise<LoadedGroups> {
  const named = new Map(Object.entries(keys).map(([type, key]) => [type, storedText(key)]));
  const found = await subjects.groupsByType(projectId, [...named]);
  const groups = found.types.flatMap((type, index): LoadedGroup[] => {
    const key = type === undefined ? undefined : named.get(type);
    return key === undefined ? [] : [{ type: type!, key, stored: found.groups.get(index) ?? null }];
  });
  return { groupTypes: found.types, groups };
}

/** Combines request properties with stored ones (ingestion contract 7.10, 7.11). */
export function contextOf(
  request: FlagsRequest,
  subject: LoadedSubject,
  rest: Pick<FlagContext, 'set' | 'now' | 'zone' | 'trace'>,
): FlagContext {
  const { person, anonymous, groupTypes, location } = subject;
  return {
    set: rest.set,
    now: rest.now,
    zone: rest.zone,
    trace: rest.trace,
    distinctId: request.distinctId,
    anonDistinctId: request.anonDistinctId,
    deviceId: request.deviceId,
    hashKeys: hashKeysOf(person, anonymous),
    person: { request: request.personProperties, geoip: location, stored: person?.properties ?? null },
    groupTypes,
    groups: subject.groups.length === 0 ? NO_LAYERS : layersOf(subject.groups, request),
    memberOf: person?.memberOf ?? null,
  };
}

const NO_LAYERS: FlagContext['groups'] = new Map();

function layersOf(groups: readonly LoadedGroup[], { groupProperties }: FlagsRequest): FlagContext['groups'] {
  return new Map(
    groups.map(({ type, key, stored }) => {
      const request = Object.hasOwn(groupProperties, type) ? groupProperties[type]! : null;
      return [type, { key, properties: { request, geoip: null, stored: stored?.properties ?? null } }];
    }),
  );
}

/** Hash keys of the person take precedence over those of the anonymous one, which will be merged into it. */
export function hashKeysOf(
  person: Subject | null,
  anonymous: Subject | null,
): ReadonlyMap<string, string> | null {
  const own = person?.hashKeys ?? null;
  const other = anonymous?.hashKeys ?? null;
  if (other === null || other.size === 0) return own;
  return own === null || own.size === 0 ? other : new Map([...other, ...own]);
}

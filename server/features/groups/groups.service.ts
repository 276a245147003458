import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import { MAX_PROPERTIES_SIZE } from '../../lib/properties-size.ts';
import { listGroupTypesJson } from './group-json.ts';
import type { GroupTypeJson } from './groups.contract.ts';
import type { GroupCreated, GroupOrder, GroupSet } from './group-orders.ts';
import { findGroup, listGroupTypes, type GroupRow } from './groups.reads.ts';

/** Which group of which project. */
export interface GroupRef {
  projectId: number;
  index: number;
  key: string;
}

/** New names of a group type; undefined ones stay, null takes a name away. */
export interface GroupTypeNames {
  index: number;
  nameSingular: string | null | undefined;
  namePlural: string | null | undefined;
}

/** Changes to groups and their types, carried out by the store's thread between two commits, as those to persons. */
export interface Groups {
  /** Throws does_not_exist for an unknown type, invalid_input when there is such a group. */
  create(group: GroupRef, properties: Readonly<Record<string, unknown>>): Promise<GroupRow>;
  /** Sets properties; returns the group after it. Throws not_found. */
  setProperties(group: GroupRef, properties: Readonly<Record<string, unknown>>): Promise<GroupRow>;
  /** Removes a property; returns the group after it. Throws not_found, and does_not_exist for a property it lacks. */
  unsetProperty(group: GroupRef, name: string): Promise<GroupRow>;
  /** Names types for people. Throws does_not_exist when one is unknown; then none is changed. */
  renameTypes(projectId: number, names: readonly GroupTypeNames[]): Promise<void>;
  /** Makes types before an event names them; returns the index of each, null where the project has five others. */
  claimTypes(projectId: number, types: readonly string[]): Promise<(number | null)[]>;
  /** Events keep what they say of it; the next type seen may take its index. Throws not_found. */
  deleteType(projectId: number, index: number): Promise<void>;
  listTypes(projectId: number): Promise<GroupTypeJson[]>;
  /** Names of types by their index, as text. */
  typeNames(projectId: number): Promise<Record<string, string>>;
}

export function createGroups({ db, channel }: { db: Db; channel: ServiceChannel }): Groups {
  const order = <T>(message: GroupOrder): Promise<T> => channel.call<T>(message);

  async function get({ projectId, index, key }: GroupRef): Promise<GroupRow> {
    const row = await findGroup(db, projectId, { index, key });
    if (row === null) throw fail('not_found');
    return row;
  }

  async function change(
    group: GroupRef,
    set: Readonly<Record<string, unknown>> | null,
    unset: string[] | null,
  ): Promise<GroupRow> {
    const outcome = await order<GroupSet>({
      kind: 'groups.set',
      ...nameOf(group),
      set: set && stringifyExactly(set),
      unset,
    });
    if (outcome === 'not_found') throw fail('not_found');
    if (outcome === 'too_large') throw tooLarge();
    return get(group);
  }

  return {
    async create(group, properties) {
      const outcome = await order<GroupCreated>({
        kind: 'groups.create',
        ...nameOf(group),
        properties: stringifyExactly(properties),
      });
      if (outcome === 'no_type') throw fail('does_not_exist', { attr: 'group_type_index', detail: NO_TYPE });
      if (outcome === 'exists') {
        throw fail('invalid_input', { attr: 'detail', detail: 'A group with this key already exists.' });
      }
      if (outcome === 'too_large') throw tooLarge();
      return get(group);
    },
    setProperties: (group, properties) => change(group, properties, null),
    async unsetProperty(group, name) {
      const { properties } = await get(group);
      if (!Object.hasOwn(JSON.parse(properties) as object, name)) {
        throw fail('does_not_exist', { attr: '$unset', detail: 'The group does not have this property.' });
      }
      return change(group, null, [name]);
    },
    async renameTypes(projectId, names) {
      const known = new Set((await listGroupTypes(db, projectId)).map(({ index }) => index));
      const unknown = names.findIndex(({ index }) => !known.has(index));
      if (unknown !== -1) {
        throw fail('does_not_exist', { attr: `${unknown}__group_type_index`, detail: NO_TYPE });
      }
      for (const { index, nameSingular, namePlural } of names) {
        await order<boolean>({
          kind: 'group_types.rename',
          projectId,
          groupTypeIndex: index,
          ...(nameSingular === undefined ? {} : { nameSingular }),
          ...(namePlural === undefined ? {} : { namePlural }),
        });
      }
    },
    claimTypes: (projectId, groupTypes) =>
      groupTypes.length === 0
        ? Promise.resolve([])
        : order<(number | null)[]>({ kind: 'group_types.claim', projectId, groupTypes }),
    async deleteType(projectId, index) {
      const isFound = await order<boolean>({ kind: 'group_types.delete', projectId, groupTypeIndex: index });
      if (!isFound) throw fail('not_found');
    },
    listTypes: (projectId) => listGroupTypesJson(db, projectId),
    async typeNames(projectId) {
      const types = await listGroupTypesJson(db, projectId);
      return Object.fromEntries(types.map((type) => [type.group_type_index, type.group_type]));
    },
  };
}

const NO_TYPE = 'This group type does not exist. Group types are created by events.';

function nameOf({ projectId, index, key }: GroupRef) {
  return { projectId, groupTypeIndex: index, groupKey: key };
}

function tooLarge(): Error {
  return fail('max_length', {
    detail: `The properties of a group are limited to about ${MAX_PROPERTIES_SIZE} characters.`,
  });
}

import { field } from '../../../../hogql/build.ts';
import { personName } from '../../../persons/index.ts';
import type { KindContext } from '../../query-kind.ts';
import { objectOf, withoutLabel, type ShownColumn } from '../table-columns.ts';

/** Distinct ids by the UUID of their person. */
export type DistinctIds = ReadonlyMap<string, readonly string[]>;

/** Texts that ask for the whole person or group. */
const WHOLE = new Set(['actor', 'person', 'group', '*']);

/** A column of a list of persons; `distinctIds` is asked once the rows are there. Throws invalid_input. */
export async function personColumn(
  text: string,
  context: KindContext,
  distinctIds: () => DistinctIds,
): Promise<ShownColumn> {
  if (!WHOLE.has(withoutLabel(text))) return { name: text, exprs: [await context.parse.expression(text)] };
  return {
    name: text,
    exprs: [field('id'), field('created_at'), field('properties'), field('is_identified')],
    read: ([id, createdAt, properties, isIdentified]) => {
      const ids = distinctIds().get(String(id)) ?? [];
      const object = objectOf(properties);
      return {
        type: 'person',
        id,
        uuid: id,
        name: personName(String(id), object, ids, context.nameProperties),
        distinct_ids: ids,
        properties: object,
        created_at: createdAt,
        is_identified: isIdentified,
      };
    },
  };
}

/** A column of a list of groups. Throws invalid_input. */
export async function groupColumn(text: string, context: KindContext): Promise<ShownColumn> {
  if (withoutLabel(text) === 'id') return { name: text, exprs: [field('key')] };
  if (!WHOLE.has(withoutLabel(text))) return { name: text, exprs: [await context.parse.expression(text)] };
  return {
    name: text,
    exprs: [field('key'), field('index'), field('created_at'), field('properties')],
    read: ([key, index, createdAt, properties]) => ({
      type: 'group',
      id: key,
      group_key: key,
      group_type_index: index,
      created_at: createdAt,
      properties: objectOf(properties),
    }),
  };
}

import type { Value } from '../../../../db/db.ts';
import { field } from '../../../../hogql/build.ts';
import { personName } from '../../../persons/index.ts';
import type { KindContext } from '../../query-kind.ts';
import { objectOf, withoutLabel, type ShownColumn } from '../../table-columns.ts';

/** Columns with an object, by their expression. */
const OBJECTS: Readonly<Record<string, (context: KindContext) => Omit<ShownColumn, 'name'>>> = {
  '*': ({ projectId }) => ({
    inProjectTime: true,
    exprs: [
      field('uuid'),
      field('event'),
      field('properties'),
      field('timestamp'),
      field('distinct_id'),
      field('elements_chain'),
      field('created_at'),
      field('person_id'),
    ],
    read: ([uuid, event, properties, timestamp, distinctId, elementsChain, createdAt, personId]) => ({
      uuid,
      event,
      properties: objectOf(properties),
      timestamp,
      team_id: projectId,
      distinct_id: distinctId,
      elements_chain: elementsChain,
      created_at: createdAt,
      person_id: personId,
    }),
  }),
  person: () => ({
    exprs: [
      field('person_id'),
      field('person', 'created_at'),
      field('person', 'properties'),
      field('distinct_id'),
    ],
    read: ([uuid, createdAt, properties, distinctId]) => personOf(uuid, createdAt, properties, distinctId),
  }),
  // As in PostHog's event list.
  person_display_name: ({ nameProperties }) => ({
    exprs: [field('person', 'properties'), field('person_id'), field('distinct_id')],
    read: ([properties, id, distinctId]) => ({
      display_name: personName(String(distinctId), objectOf(properties), [], nameProperties),
      id,
      distinct_id: distinctId,
    }),
  }),
};

/** A person of an event; null when the event has none. */
function personOf(uuid?: Value, createdAt?: Value, properties?: Value, distinctId?: Value): object | null {
  if (createdAt === null) return null;
  return { uuid, created_at: createdAt, properties: objectOf(properties), distinct_id: distinctId };
}

/** A column as `select` of an EventsQuery names it: an object, or an expression. Throws invalid_input. */
export async function eventColumn(text: string, context: KindContext): Promise<ShownColumn> {
  const name = withoutLabel(text);
  if (Object.hasOwn(OBJECTS, name)) return { name: text, ...OBJECTS[name]!(context) };
  return { name: text, exprs: [await context.parse.expression(text)] };
}

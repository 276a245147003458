import type { Db } from '../../db/db.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { getPersonId } from './person-id.ts';
import { personsApi } from './persons.contract.ts';
import type { Persons } from './persons.service.ts';

const route = routesOf(personsApi);

/** An answer without a body; clients learn from its status that the change was taken. */
const TAKEN = { status: 202 } as const;
const DONE = { success: true };

/** The routes that change persons. Bodies are JSON alone, as in PostHog: a form has no numbers and no objects. */
export function personChangeRoutes({ persons, db }: { persons: Persons; db: Db }): ManagementRoute[] {
  /** What all routes about one person have in common. */
  const onePerson = {
    auth: 'key',
    scope: ['person:write'],
    jsonOnly: true,
    // An id that is neither a whole number nor a UUID; properties beyond the limit of a person.
    errors: ['invalid_input', 'does_not_exist'],
    lookup: async ({ params, project }: { params: { id: string }; project: { id: number } }) => ({
      projectId: project.id,
      personId: await getPersonId(db, project.id, params.id),
    }),
  } as const;

  const updates = (['PATCH', 'PUT'] as const).map((method) =>
    route(`${method} P/persons/:id/`, {
      ...onePerson,
      summary: 'Sets properties of a person; omitted properties are not changed.',
      ...TAKEN,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, body.properties);
      },
    }),
  );

  return [
    ...updates,
    route('POST P/persons/:id/update_property/', {
      ...onePerson,
      summary: 'Sets a property of a person.',
      ...TAKEN,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, { [body.key]: body.value });
      },
    }),
    route('POST P/persons/:id/delete_property/', {
      ...onePerson,
      summary: 'Removes a property of a person.',
      status: 201,
      handle: async ({ found, body }) => {
        await persons.unsetProperty(found, body.$unset);
        return DONE;
      },
    }),
    route('DELETE P/persons/:id/', {
      ...onePerson,
      summary: 'Deletes a person, and its events with delete_events.',
      ...TAKEN,
      handle: async ({ found, query }) => {
        await persons.delete(found, query.delete_events ?? false);
      },
    }),
    route('POST P/persons/bulk_delete/', {
      auth: 'key',
      scope: ['person:write'],
      jsonOnly: true,
      summary: 'Deletes up to 1,000 persons, and their events with delete_events.',
      ...TAKEN,
      handle: async ({ project, query, body }) => {
        const deleteEvents = body.delete_events ?? query.delete_events ?? false;
        const names = { uuids: body.ids, distinctIds: body.distinct_ids };
        await persons.deleteMany(project.id, names, deleteEvents);
      },
    }),
    route('POST P/persons/:id/split/', {
      ...onePerson,
      summary: 'Splits a person into one person per distinct ID.',
      status: 201,
      handle: async ({ found, body }) => {
        await persons.split(found, body.main_distinct_id ?? null);
        return DONE;
      },
    }),
  ];
}

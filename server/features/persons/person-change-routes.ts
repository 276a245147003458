import type { Db } from '../../db/db.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { getPersonId } from './person-id.ts';
import {
  bulkDeleteBody,
  deletePersonQuery,
  deletePropertyBody,
  personParams,
  splitPersonBody,
  success,
  updatePersonBody,
  updatePropertyBody,
} from './persons.contract.ts';
import type { Persons } from './persons.service.ts';

/** An answer without a body; clients learn from its status that the change was taken. */
const TAKEN = { status: 202, response: null } as const;
const DONE = { success: true };

/** The routes that change persons. Bodies are JSON alone, as in PostHog: a form has no numbers and no objects. */
export function personChangeRoutes({ persons, db }: { persons: Persons; db: Db }): ManagementRoute[] {
  /** What all routes about one person have in common. */
  const onePerson = {
    auth: 'key',
    scope: ['person:write'],
    jsonOnly: true,
    params: personParams,
    // An id that is neither a whole number nor a UUID; properties beyond the limit of a person.
    errors: ['invalid_input', 'does_not_exist'],
    lookup: async ({ params, project }: { params: { id: string }; project: { id: number } }) => ({
      projectId: project.id,
      personId: await getPersonId(db, project.id, params.id),
    }),
  } as const;

  const updates = (['PATCH', 'PUT'] as const).map((method) =>
    defineRoute({
      ...onePerson,
      method,
      path: 'P/persons/:id/',
      summary: 'Sets properties of a person; omitted properties are not changed.',
      body: updatePersonBody,
      ...TAKEN,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, body.properties);
      },
    }),
  );

  return [
    ...updates,
    defineRoute({
      ...onePerson,
      method: 'POST',
      path: 'P/persons/:id/update_property/',
      summary: 'Sets a property of a person.',
      body: updatePropertyBody,
      ...TAKEN,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, { [body.key]: body.value });
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'POST',
      path: 'P/persons/:id/delete_property/',
      summary: 'Removes a property of a person.',
      body: deletePropertyBody,
      status: 201,
      response: success,
      handle: async ({ found, body }) => {
        await persons.unsetProperty(found, body.$unset);
        return DONE;
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'DELETE',
      path: 'P/persons/:id/',
      summary: 'Deletes a person, and its events with delete_events.',
      query: deletePersonQuery,
      ...TAKEN,
      handle: async ({ found, query }) => {
        await persons.delete(found, query.delete_events ?? false);
      },
    }),
    defineRoute({
      auth: 'key',
      scope: ['person:write'],
      jsonOnly: true,
      method: 'POST',
      path: 'P/persons/bulk_delete/',
      summary: 'Deletes up to 1,000 persons, and their events with delete_events.',
      query: deletePersonQuery,
      body: bulkDeleteBody,
      ...TAKEN,
      handle: async ({ project, query, body }) => {
        const deleteEvents = body.delete_events ?? query.delete_events ?? false;
        const names = { uuids: body.ids, distinctIds: body.distinct_ids };
        await persons.deleteMany(project.id, names, deleteEvents);
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'POST',
      path: 'P/persons/:id/split/',
      summary: 'Splits a person into one person per distinct ID.',
      body: splitPersonBody,
      status: 201,
      response: success,
      handle: async ({ found, body }) => {
        await persons.split(found, body.main_distinct_id ?? null);
        return DONE;
      },
    }),
  ];
}

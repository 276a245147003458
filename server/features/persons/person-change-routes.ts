import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
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
const nothing = z.void();
const DONE = { success: true };

/** The routes that change persons. Bodies are JSON alone, as in PostHog: a form has no numbers and no objects. */
export function personChangeRoutes({ persons, db }: { persons: Persons; db: Db }): ManagementRoute[] {
  /** What all routes about one person have in common. */
  const onePerson = {
    auth: 'key',
    scope: ['person:write'],
    jsonOnly: true,
    params: personParams,
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
      summary: 'Sets properties of a person; those that are not named stay.',
      body: updatePersonBody,
      response: nothing,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, body.properties);
        return Reply.empty(202);
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
      response: nothing,
      handle: async ({ found, body }) => {
        await persons.setProperties(found, { [body.key]: body.value });
        return Reply.empty(202);
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'POST',
      path: 'P/persons/:id/delete_property/',
      summary: 'Removes a property of a person.',
      body: deletePropertyBody,
      response: success,
      handle: async ({ found, body }) => {
        await persons.unsetProperty(found, body.$unset);
        return Reply.json(201, DONE);
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'DELETE',
      path: 'P/persons/:id/',
      summary: 'Deletes a person, and with delete_events its events.',
      query: deletePersonQuery,
      response: null,
      handle: async ({ found, query }) => {
        await persons.delete(found, query.delete_events ?? false);
        return Reply.empty(202);
      },
    }),
    defineRoute({
      auth: 'key',
      scope: ['person:write'],
      jsonOnly: true,
      method: 'POST',
      path: 'P/persons/bulk_delete/',
      summary: 'Deletes up to 1,000 persons, and with delete_events their events.',
      query: deletePersonQuery,
      body: bulkDeleteBody,
      response: nothing,
      handle: async ({ project, query, body }) => {
        const deleteEvents = body.delete_events ?? query.delete_events ?? false;
        const names = { uuids: body.ids, distinctIds: body.distinct_ids };
        await persons.deleteMany(project.id, names, deleteEvents);
        return Reply.empty(202);
      },
    }),
    defineRoute({
      ...onePerson,
      method: 'POST',
      path: 'P/persons/:id/split/',
      summary: 'Gives the distinct ids of a person a person each.',
      body: splitPersonBody,
      response: success,
      handle: async ({ found, body }) => {
        await persons.split(found, body.main_distinct_id ?? null);
        return Reply.json(201, DONE);
      },
    }),
  ];
}

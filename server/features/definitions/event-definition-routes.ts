import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute, type Method } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import { eventDefinitionOf } from './definition-json.ts';
import {
  byNameQuery,
  createEventDefinitionBody,
  definitionParams,
  eventDefinition,
  eventDefinitionPage,
  eventMetrics,
  listEventDefinitionsQuery,
  updateEventDefinitionBody,
  type EventDefinitionJson,
} from './definitions.contract.ts';
import {
  findEventDefinition,
  findEventDefinitionByName,
  listEventDefinitions,
  type EventDefinitionRow,
} from './definitions.reads.ts';
import type { Definitions } from './definitions.service.ts';

export interface DefinitionsParts {
  definitions: Definitions;
  db: Db;
  clock: Clock;
}

export function eventDefinitionRoutes({ definitions, db, clock }: DefinitionsParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['event_definition:read'] } as const;
  const write = { auth: 'key', scope: ['event_definition:write'] } as const;
  /** The definition of the path; an unknown one is a 404 whatever the body says (management contract 2.5). */
  const lookup = async ({ params, project }: PathContext): Promise<EventDefinitionRow> =>
    (await findEventDefinition(db, project.id, params.id)) ?? notFound();
  const show = async (projectId: number, id: string): Promise<EventDefinitionJson> =>
    eventDefinitionOf((await findEventDefinition(db, projectId, id)) ?? notFound());
  const update = (method: Method & ('PATCH' | 'PUT')): ManagementRoute =>
    defineRoute({
      ...write,
      method,
      path: 'P/event_definitions/:id/',
      summary: 'Updates an event definition.',
      params: definitionParams,
      body: updateEventDefinitionBody,
      response: eventDefinition,
      errors: ['does_not_exist'],
      lookup,
      handle: async ({ actor, project, found, body }) => {
        await definitions.updateEvent(actor, project.id, found, body);
        return show(project.id, found.id);
      },
    });

  return [
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/event_definitions/',
      summary: 'Lists event definitions, most recently seen first.',
      query: listEventDefinitionsQuery,
      response: eventDefinitionPage,
      handle: async ({ project, query, url }) => {
        const slice = readPage(url.searchParams);
        const { rows, count } = await listEventDefinitions(db, project.id, query, slice, clock());
        return pageOf(url, rows.map(eventDefinitionOf), count);
      },
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/event_definitions/',
      summary: 'Creates an event definition before its first event.',
      body: createEventDefinitionBody,
      status: 201,
      response: eventDefinition,
      errors: ['unique', 'does_not_exist'],
      handle: async ({ actor, project, body }) => {
        const id = await definitions.createEvent(actor, project.id, body);
        return show(project.id, id);
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/event_definitions/by_name/',
      summary: 'Retrieves an event definition.',
      query: byNameQuery,
      response: eventDefinition,
      errors: ['not_found'],
      handle: async ({ project, query }) =>
        eventDefinitionOf((await findEventDefinitionByName(db, project.id, query.name)) ?? notFound()),
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/event_definitions/:id/',
      summary: 'Retrieves an event definition by id.',
      params: definitionParams,
      response: eventDefinition,
      lookup,
      handle: ({ found }) => eventDefinitionOf(found),
    }),
    update('PATCH'),
    update('PUT'),
    defineRoute({
      ...write,
      method: 'DELETE',
      path: 'P/event_definitions/:id/',
      summary: 'Deletes an event definition until it is next ingested; events are kept.',
      params: definitionParams,
      response: null,
      lookup,
      handle: async ({ actor, project, found }) => {
        await definitions.delete(actor, { kind: 'event', projectId: project.id, id: found.id }, found);
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/event_definitions/:id/metrics/',
      summary: 'Returns how often the event was queried; null if unknown.',
      params: definitionParams,
      response: eventMetrics,
      lookup,
      handle: () => ({ query_usage_30_day: null }),
    }),
  ];
}

/** What the lookup of a definition needs. */
export interface PathContext {
  params: { id: string };
  project: { id: number };
}

export function notFound(): never {
  throw fail('not_found');
}

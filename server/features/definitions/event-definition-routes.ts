import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { type ManagementRoute, type Method, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import { eventDefinitionOf } from './definition-json.ts';
import { type EventDefinitionJson, definitionsApi } from './definitions.contract.ts';
import {
  findEventDefinition,
  findEventDefinitionByName,
  listEventDefinitions,
  type EventDefinitionRow,
} from './definitions.reads.ts';
import type { Definitions } from './definitions.service.ts';

const route = routesOf(definitionsApi);

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
    route(`${method} P/event_definitions/:id/`, {
      ...write,
      summary: 'Updates an event definition.',
      errors: ['does_not_exist'],
      lookup,
      handle: async ({ actor, project, found, body }) => {
        await definitions.updateEvent(actor, project.id, found, body);
        return show(project.id, found.id);
      },
    });

  return [
    route('GET P/event_definitions/', {
      ...read,
      summary: 'Lists event definitions, most recently seen first.',
      handle: async ({ project, query, url }) => {
        const slice = readPage(url.searchParams);
        const { rows, count } = await listEventDefinitions(db, project.id, query, slice, clock());
        return pageOf(url, rows.map(eventDefinitionOf), count);
      },
    }),
    route('POST P/event_definitions/', {
      ...write,
      summary: 'Creates an event definition before its first event.',
      status: 201,
      errors: ['unique', 'does_not_exist'],
      handle: async ({ actor, project, body }) => {
        const id = await definitions.createEvent(actor, project.id, body);
        return show(project.id, id);
      },
    }),
    route('GET P/event_definitions/by_name/', {
      ...read,
      summary: 'Retrieves an event definition.',
      errors: ['not_found'],
      handle: async ({ project, query }) =>
        eventDefinitionOf((await findEventDefinitionByName(db, project.id, query.name)) ?? notFound()),
    }),
    route('GET P/event_definitions/:id/', {
      ...read,
      summary: 'Retrieves an event definition by id.',
      lookup,
      handle: ({ found }) => eventDefinitionOf(found),
    }),
    update('PATCH'),
    update('PUT'),
    route('DELETE P/event_definitions/:id/', {
      ...write,
      summary: 'Deletes an event definition until it is next ingested; events are kept.',
      lookup,
      handle: async ({ actor, project, found }) => {
        await definitions.delete(actor, { kind: 'event', projectId: project.id, id: found.id }, found);
      },
    }),
    route('GET P/event_definitions/:id/metrics/', {
      ...read,
      summary: 'Returns how often the event was queried; null if unknown.',
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

import { type ManagementRoute, type Method, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { propertyDefinitionOf } from './definition-json.ts';
import { definitionsApi } from './definitions.contract.ts';
import {
  findPropertyDefinition,
  listEventsWithProperty,
  listPropertyDefinitions,
  type PropertyDefinitionRow,
} from './definitions.reads.ts';
import { listVirtualProperties } from './virtual-properties.ts';
import { notFound, type DefinitionsParts, type PathContext } from './event-definition-routes.ts';

const route = routesOf(definitionsApi);

export function propertyDefinitionRoutes({ definitions, db }: DefinitionsParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['property_definition:read'] } as const;
  const write = { auth: 'key', scope: ['property_definition:write'] } as const;
  const lookup = async ({ params, project }: PathContext): Promise<PropertyDefinitionRow> =>
    (await findPropertyDefinition(db, project.id, params.id)) ?? notFound();
  const update = (method: Method & ('PATCH' | 'PUT')): ManagementRoute =>
    route(`${method} P/property_definitions/:id/`, {
      ...write,
      summary: 'Updates a property definition.',
      lookup,
      handle: async ({ actor, project, found, body }) => {
        await definitions.updateProperty(actor, project.id, found, body);
        return propertyDefinitionOf((await findPropertyDefinition(db, project.id, found.id)) ?? notFound());
      },
    });

  return [
    route('GET P/property_definitions/', {
      ...read,
      summary: 'Lists property definitions of events, persons or groups.',
      handle: async ({ project, query, url }) => {
        const page = readPage(url.searchParams);
        const { rows, count } = await listPropertyDefinitions(db, project.id, query, page);
        const virtual = listVirtualProperties(query);
        const [first, last] = [page.offset - count, page.offset + page.limit - count];
        const shown = virtual.slice(Math.max(0, first), Math.max(0, last));
        return pageOf(url, [...rows.map(propertyDefinitionOf), ...shown], count + virtual.length);
      },
    }),
    route('GET P/property_definitions/seen_together/', {
      ...read,
      summary: 'Lists the events that have a property.',
      handle: async ({ project, query: { event_names: events, property_name: property } }) => {
        const seen = new Set(await listEventsWithProperty(db, project.id, events, property));
        return Object.fromEntries(events.map((event) => [event, seen.has(event)]));
      },
    }),
    route('GET P/property_definitions/:id/', {
      ...read,
      summary: 'Retrieves a property definition by id.',
      lookup,
      handle: ({ found }) => propertyDefinitionOf(found),
    }),
    update('PATCH'),
    update('PUT'),
    route('DELETE P/property_definitions/:id/', {
      ...write,
      summary: 'Deletes a property definition until it is next ingested; values are kept.',
      lookup,
      handle: async ({ actor, project, found }) => {
        await definitions.delete(actor, { kind: 'property', projectId: project.id, id: found.id }, found);
      },
    }),
  ];
}

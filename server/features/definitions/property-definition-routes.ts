import { defineRoute, type ManagementRoute, type Method } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { propertyDefinitionOf } from './definition-json.ts';
import {
  definitionParams,
  listPropertyDefinitionsQuery,
  propertyDefinition,
  propertyDefinitionPage,
  seenTogether,
  seenTogetherQuery,
  updatePropertyDefinitionBody,
} from './definitions.contract.ts';
import {
  findPropertyDefinition,
  listEventsWithProperty,
  listPropertyDefinitions,
  type PropertyDefinitionRow,
} from './definitions.reads.ts';
import { notFound, type DefinitionsParts, type PathContext } from './event-definition-routes.ts';

export function propertyDefinitionRoutes({ definitions, db }: DefinitionsParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['property_definition:read'] } as const;
  const write = { auth: 'key', scope: ['property_definition:write'] } as const;
  const lookup = async ({ params, project }: PathContext): Promise<PropertyDefinitionRow> =>
    (await findPropertyDefinition(db, project.id, params.id)) ?? notFound();
  const update = (method: Method & ('PATCH' | 'PUT')): ManagementRoute =>
    defineRoute({
      ...write,
      method,
      path: 'P/property_definitions/:id/',
      summary: 'Updates a property definition.',
      params: definitionParams,
      body: updatePropertyDefinitionBody,
      response: propertyDefinition,
      lookup,
      handle: async ({ actor, project, found, body }) => {
        await definitions.updateProperty(actor, project.id, found, body);
        return propertyDefinitionOf((await findPropertyDefinition(db, project.id, found.id)) ?? notFound());
      },
    });

  return [
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/property_definitions/',
      summary: 'Lists property definitions of events, persons or groups.',
      query: listPropertyDefinitionsQuery,
      response: propertyDefinitionPage,
      handle: async ({ project, query, url }) => {
        const { rows, count } = await listPropertyDefinitions(
          db,
          project.id,
          query,
          readPage(url.searchParams),
        );
        return pageOf(url, rows.map(propertyDefinitionOf), count);
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/property_definitions/seen_together/',
      summary: 'Lists the events that have a property.',
      query: seenTogetherQuery,
      response: seenTogether,
      handle: async ({ project, query: { event_names: events, property_name: property } }) => {
        const seen = new Set(await listEventsWithProperty(db, project.id, events, property));
        return Object.fromEntries(events.map((event) => [event, seen.has(event)]));
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/property_definitions/:id/',
      summary: 'Retrieves a property definition by id.',
      params: definitionParams,
      response: propertyDefinition,
      lookup,
      handle: ({ found }) => propertyDefinitionOf(found),
    }),
    update('PATCH'),
    update('PUT'),
    defineRoute({
      ...write,
      method: 'DELETE',
      path: 'P/property_definitions/:id/',
      summary: 'Deletes a property definition until it is next ingested; values are kept.',
      params: definitionParams,
      response: null,
      lookup,
      handle: async ({ actor, project, found }) => {
        await definitions.delete(actor, { kind: 'property', projectId: project.id, id: found.id }, found);
      },
    }),
  ];
}

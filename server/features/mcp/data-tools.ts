import { z } from 'zod';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { defineTool, inPath, page, pageText, pick, type Tool } from './tool.ts';

const EVENT_FIELDS = ['name', 'description', 'last_seen_at', 'tags'];
const PROPERTY_FIELDS = ['name', 'property_type', 'description', 'tags'];
const PERSON_FIELDS = ['id', 'uuid', 'name', 'distinct_ids', 'properties', 'created_at', 'is_identified'];
/** Of the distinct IDs of a person, which may be thousands. */
const MAX_IDS = 20;

interface Person {
  uuid: string;
  distinct_ids: string[];
  [name: string]: unknown;
}

function shownPerson(person: Person): Record<string, unknown> {
  return { ...person, distinct_ids: person.distinct_ids.slice(0, MAX_IDS) };
}

/** Tools that list and describe projects, events, properties, persons and what else a project has. */
export const dataTools: readonly Tool[] = [
  defineTool({
    name: 'projects-get',
    title: 'List projects',
    description: 'Lists the projects of this Burrow, with ID and time zone.',
    scope: 'project:read',
    input: z.object({}),
    run: async (_input, api) => pageText(await api.get('/api/projects/'), ['id', 'name', 'timezone']),
  }),
  defineTool({
    name: 'event-definitions-list',
    title: 'List events',
    description:
      'Lists the names of events that the project has received, most recent first. Call it before a query, instead of guessing names.',
    scope: 'event_definition:read',
    input: z.object({ search: z.string().max(200).optional(), ...page }),
    run: async ({ search, limit, offset }, api) => {
      const query = { search, limit, offset, ordering: '-last_seen_at', exclude_hidden: true };
      return pageText(await api.get('P/event_definitions/', query), EVENT_FIELDS, { offset });
    },
  }),
  defineTool({
    name: 'event-definition-get',
    title: 'Describe an event',
    description:
      'Describes one event: what it is for, when it was last seen, and the properties that it has had.',
    scope: 'event_definition:read',
    input: z.object({ name: z.string().min(1).max(200) }),
    run: async ({ name }, api) => {
      const event = await api.get('P/event_definitions/by_name/', { name });
      const properties = await api.get('P/property_definitions/', {
        event_names: JSON.stringify([name]),
        filter_by_event_names: true,
        exclude_hidden: true,
        limit: 200,
      });
      return `${stringifyExactly(pick(event, [...EVENT_FIELDS, 'created_at']))}\n\nProperties:\n${pageText(properties, PROPERTY_FIELDS)}`;
    },
  }),
  defineTool({
    name: 'properties-list',
    title: 'List properties',
    description:
      'Lists the properties of events, persons, sessions or groups with their types; with `event_name` those that this event has had.',
    scope: 'property_definition:read',
    input: z.object({
      type: z.enum(['event', 'person', 'group', 'session']).default('event'),
      event_name: z.string().max(200).optional(),
      group_type_index: z.int().min(0).max(4).optional().describe('Required for groups'),
      search: z.string().max(200).optional(),
      ...page,
    }),
    run: async ({ type, event_name: event, group_type_index: index, search, limit, offset }, api) => {
      const path = type === 'session' ? 'P/sessions/property_definitions/' : 'P/property_definitions/';
      const ofEvent =
        event === undefined ? {} : { event_names: JSON.stringify([event]), filter_by_event_names: true };
      const query = {
        search,
        limit,
        offset,
        ...(type === 'session' ? {} : { type, group_type_index: index, ...ofEvent }),
      };
      const found = await api.get(path, query);
      return pageText(Array.isArray(found) ? { results: found } : found, PROPERTY_FIELDS, { offset });
    },
  }),
  defineTool({
    name: 'property-values',
    title: 'List values of a property',
    description: 'Lists values that a property has had. Call it before you filter by a value.',
    scope: 'query:read',
    input: z.object({
      type: z.enum(['event', 'person']).default('event'),
      property: z.string().min(1).max(400),
      event_name: z.string().max(200).optional(),
      search: z.string().max(200).optional(),
    }),
    run: async ({ type, property, event_name: event, search }, api) => {
      const query = { key: property, value: search, event_name: type === 'event' ? event : undefined };
      const path = type === 'event' ? 'P/events/values/' : 'P/persons/values/';
      const results = await api.get(path, query);
      return pageText({ results: results ?? [] }, ['name', 'count']);
    },
  }),
  defineTool({
    name: 'events-list',
    title: 'List recent events',
    description:
      'Lists stored events, newest first, by name, distinct ID and time. Use execute-sql to count or group.',
    scope: 'query:read',
    input: z.object({
      event: z.string().max(200).optional(),
      distinct_id: z.string().max(400).optional(),
      after: z.string().max(40).optional().describe('ISO 8601, such as 2026-11-20T09:30:00Z'),
      before: z.string().max(40).optional(),
      limit: z.int().min(1).max(100).default(20),
    }),
    run: async (input, api) => {
      const { results } = await api.get<{ results: { properties: string }[] }>('P/events/', input);
      const events = results.map((one) => ({ ...one, properties: JSON.parse(one.properties) as unknown }));
      return pageText({ results: events }, ['timestamp', 'event', 'distinct_id', 'properties']);
    },
  }),
  defineTool({
    name: 'persons-list',
    title: 'Find persons',
    description: 'Finds persons by a part of their name, email or ID, or in a cohort.',
    scope: 'person:read',
    input: z.object({
      search: z.string().max(400).optional(),
      cohort: z.int().min(1).optional().describe('ID of a cohort'),
      limit: z.int().min(1).max(100).default(20),
      offset: page.offset,
    }),
    run: async (input, api) => {
      const found = await api.get<{ results: Person[] }>('P/persons/', input);
      return pageText({ ...found, results: found.results.map(shownPerson) }, PERSON_FIELDS, input);
    },
  }),
  defineTool({
    name: 'person-get',
    title: 'Read a person',
    description: 'Reads a person by UUID or distinct ID: properties, and what the events amount to.',
    scope: 'person:read',
    input: z.object({ id: z.string().min(1).max(400).describe('UUID or distinct ID') }),
    run: async ({ id }, api) => {
      const { results } = await api.get<{ results: Person[] }>('P/persons/', { distinct_id: id });
      const person = results[0] ?? (await api.get<Person>(`P/persons/${inPath(id)}/`));
      const activity = await api.get(`P/burrow/persons/${inPath(person.uuid)}/activity/`);
      const shown = pick(activity, ['count', 'first_seen', 'last_seen', 'events', 'groups']);
      return `${stringifyExactly(pick(shownPerson(person), PERSON_FIELDS))}\n\nActivity: ${stringifyExactly(shown)}`;
    },
  }),
  defineTool({
    name: 'cohorts-list',
    title: 'List cohorts',
    description: 'Lists cohorts: named sets of persons.',
    scope: 'cohort:read',
    input: z.object({ search: z.string().max(200).optional(), ...page }),
    run: async (input, api) =>
      pageText(
        await api.get('P/cohorts/', input),
        ['id', 'name', 'description', 'count', 'is_static'],
        input,
      ),
  }),
  defineTool({
    name: 'actions-get-all',
    title: 'List actions',
    description: 'Lists actions: named combinations of events that can be counted as one.',
    scope: 'action:read',
    input: z.object({ ...page }),
    run: async (input, api) =>
      pageText(await api.get('P/actions/', input), ['id', 'name', 'description', 'steps', 'tags'], input),
  }),
  defineTool({
    name: 'entity-search',
    title: 'Search the project',
    description: 'Searches insights, dashboards, flags, cohorts, actions, events and properties by name.',
    scope: 'project:read',
    input: z.object({ query: z.string().min(1).max(400) }),
    run: async ({ query }, api) => {
      const { results } = await api.get<{ results: { extra_fields: object }[] }>('P/search/', { q: query });
      const found = results.map(({ extra_fields: fields, ...one }) => ({ ...fields, ...one }));
      return pageText({ results: found }, [
        'type',
        'result_id',
        'name',
        'key',
        'description',
        'derived_name',
      ]);
    },
  }),
];

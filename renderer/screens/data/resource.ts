import { CircleDot, Tag } from '@lucide/vue';
import type { ConsoleResource } from '../../composables/resources.ts';

export const eventDefinitionResource = {
  noun: 'event_definition',
  activity: 'EventDefinition',
  one: 'event',
  many: 'events',
  order: 90,
  filter: 'Events and properties',
  scope: { label: 'Event names', read: 'view event definitions', write: 'describe, tag, hide' },
  icon: CircleDot,
  list: 'data',
  found: (projectId, { result_id, extra_fields }) => {
    const name = extra_fields.name ?? '';
    const params = { projectId, kind: 'events' };
    return {
      id: result_id,
      label: name,
      to: { name: 'data', params, query: { search: name, open: name } },
      inList: { kind: 'events' },
    };
  },
} satisfies ConsoleResource;

/** The tab of the properties of events, persons and groups, and what one is called. */
const OWNERS = new Map([
  ['person', { kind: 'person-properties', hint: 'person property' }],
  ['group', { kind: 'group-properties', hint: 'group property' }],
]);
const OF_EVENTS = { kind: 'properties', hint: 'event property' };

export const propertyDefinitionResource = {
  noun: 'property_definition',
  activity: 'PropertyDefinition',
  one: 'property',
  many: 'properties',
  order: 91,
  filter: 'Events and properties',
  scope: { read: 'view property definitions', write: 'describe, tag, hide' },
  icon: Tag,
  list: 'data',
  found(projectId, { result_id, extra_fields: { name, type, group_type_index: group } }) {
    const { kind, hint } = OWNERS.get(type ?? '') ?? OF_EVENTS;
    const label = name ?? '';
    const query = { search: label, open: label, group: group ? String(group) : undefined };
    return {
      id: result_id,
      label,
      hint,
      isCode: true,
      to: { name: 'data', params: { projectId, kind }, query },
      inList: { kind },
    };
  },
} satisfies ConsoleResource;

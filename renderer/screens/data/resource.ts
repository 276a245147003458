import { CircleDot, Tag } from '@lucide/vue';
import { askQuery } from '../../api/query.api.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { formatCount } from '../../ui/format.ts';

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
  async facts(projectId, objects) {
    const { results } = await askQuery(projectId, {
      kind: 'HogQLQuery',
      query: `SELECT event, count() FROM events
        WHERE event IN {names} AND timestamp > now() - INTERVAL 30 DAY GROUP BY event`,
      values: { names: objects.map(({ label }) => label) },
    });
    const counts = new Map(results as [string, number][]);
    return new Map(objects.map(({ id, label }) => [id, `${formatCount(counts.get(label) ?? 0)} in 30 days`]));
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

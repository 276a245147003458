import type { ConsoleResource } from '../../composables/resources.ts';

export const eventDefinitionResource = {
  noun: 'event_definition',
  activity: 'EventDefinition',
  one: 'event',
  many: 'events',
  order: 90,
  filter: 'Events and properties',
  scope: { label: 'Event names', read: 'view event definitions', write: 'describe, tag, hide' },
} satisfies ConsoleResource;

export const propertyDefinitionResource = {
  noun: 'property_definition',
  activity: 'PropertyDefinition',
  one: 'property',
  many: 'properties',
  order: 91,
  filter: 'Events and properties',
  scope: { read: 'view property definitions', write: 'describe, tag, hide' },
} satisfies ConsoleResource;

import { defineResource } from '../../http/define-resource.ts';

export const eventDefinitionResource = defined('event_definition', 'EventDefinition', 'event_definitions');

export const propertyDefinitionResource = defined(
  'property_definition',
  'PropertyDefinition',
  'property_definitions',
);

function defined(noun: string, activity: string, table: string) {
  return defineResource({
    noun,
    activity,
    table: { name: table, key: 'uuid_id', withoutCreator: true },
    search: {
      description: `''`,
      where: 'NOT hidden',
      resultOf: ({ id, name }) => ({ result_id: id, extra_fields: { name } }),
    },
    tags: true,
  });
}

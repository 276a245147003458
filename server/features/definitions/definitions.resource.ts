import { defineResource, type ResourceSearch } from '../../http/define-resource.ts';

export const eventDefinitionResource = defined('event_definition', 'EventDefinition', 'event_definitions', {
  resultOf: ({ id, name }) => ({ result_id: id, extra_fields: { name } }),
});

export const propertyDefinitionResource = defined(
  'property_definition',
  'PropertyDefinition',
  'property_definitions',
  {
    details: `json_object('type', type, 'group_type_index', group_type_index)`,
    resultOf: ({ id, name, details }) => ({
      result_id: id,
      extra_fields: { name, ...(JSON.parse(details!) as PropertyDetails) },
    }),
  },
);

/** Two properties with one name differ in these. */
interface PropertyDetails {
  type: string;
  group_type_index: number | null;
}

function defined(noun: string, activity: string, table: string, found: ResourceSearch) {
  return defineResource({
    noun,
    activity,
    table: { name: table, key: 'uuid_id', withoutCreator: true },
    search: { description: `''`, where: 'NOT hidden', ...found },
    tags: true,
  });
}

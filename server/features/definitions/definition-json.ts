import {
  propertyDefinition,
  type EventDefinitionJson,
  type PropertyDefinitionJson,
} from './definitions.contract.ts';
import type { EventDefinitionRow, PropertyDefinitionRow } from './definitions.reads.ts';

/** An event definition as it is answered (management contract 9.8). */
export function eventDefinitionOf(row: EventDefinitionRow): EventDefinitionJson {
  return {
    id: row.id,
    name: row.name,
    owner: row.ownerId,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    updated_by: null,
    last_seen_at: row.lastSeenAt,
    first_seen_at: row.firstSeenAt,
    last_updated_at: row.updatedAt,
    verified: row.verified,
    verified_at: row.verifiedAt,
    verified_by: null,
    hidden: row.hidden,
    is_action: false,
    action_id: null,
    is_calculating: false,
    last_calculated_at: null,
    created_by: null,
    post_to_slack: row.postToSlack,
    default_columns: JSON.parse(row.defaultColumns) as string[],
    media_preview_urls: [],
  };
}

const TYPE = propertyDefinition.shape.property_type;

/** A property definition as it is answered (management contract 9.8). */
export function propertyDefinitionOf(row: PropertyDefinitionRow): PropertyDefinitionJson {
  const type = TYPE.parse(row.propertyType);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    is_numerical: type === 'Numeric',
    updated_at: row.updatedAt,
    updated_by: null,
    is_seen_on_filtered_events: row.isSeen,
    property_type: type,
    verified: row.verified,
    verified_at: row.verifiedAt,
    verified_by: null,
    hidden: row.hidden,
    first_seen_at: row.firstSeenAt,
    last_seen_at: row.lastSeenAt,
  };
}

import type { ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { KnownEvent, KnownProperty } from './known-definitions.ts';
import { groupTypeIndexOf, typeOf } from './property-owner.ts';
import type { DefinitionChanges } from './definition-tracker.ts';

/** All rows are bound as one JSON text, so that many rows cost one statement. */
const NEW_EVENTS = `INSERT INTO event_definitions
    (id, project_id, name, created_at, first_seen_at, last_seen_at, updated_at)
  SELECT id, project_id, name, make_timestamp(first), make_timestamp(first), make_timestamp(last), make_timestamp(first)
  FROM (SELECT unnest(from_json($rows::JSON,
    '[{"id":"UUID","project_id":"INTEGER","name":"VARCHAR","first":"BIGINT","last":"BIGINT"}]'), recursive := true))`;
const NEW_PROPERTIES = `INSERT INTO property_definitions
    (id, project_id, type, group_type_index, name, property_type, first_seen_at, last_seen_at, updated_at)
  SELECT id, project_id, type, group_type_index, name, property_type,
    make_timestamp(first), make_timestamp(last), make_timestamp(first)
  FROM (SELECT unnest(from_json($rows::JSON,
    '[{"id":"UUID","project_id":"INTEGER","type":"VARCHAR","group_type_index":"INTEGER","name":"VARCHAR",
      "property_type":"VARCHAR","first":"BIGINT","last":"BIGINT"}]'), recursive := true))`;
const NEW_PAIRS = `INSERT INTO event_properties (project_id, event, property)
  SELECT project_id, event, property
  FROM (SELECT unnest(from_json($rows::JSON,
    '[{"project_id":"INTEGER","event":"VARCHAR","property":"VARCHAR"}]'), recursive := true))`;
const SEEN_EVENTS = `UPDATE event_definitions SET last_seen_at = make_timestamp(seen.at),
    first_seen_at = coalesce(first_seen_at, make_timestamp(seen.at))
  FROM (SELECT unnest(from_json($rows::JSON, '[{"key":"UUID","at":"BIGINT"}]'), recursive := true)) seen
  WHERE event_definitions.id = seen.key`;
const SEEN_PROPERTIES = `UPDATE property_definitions SET last_seen_at = make_timestamp(seen.at), property_type = seen.type
  FROM (SELECT unnest(from_json($rows::JSON, '[{"key":"UUID","at":"BIGINT","type":"VARCHAR"}]'), recursive := true)) seen
  WHERE property_definitions.id = seen.key`;

/** Writes the definition changes of a commit inside its open transaction. */
export async function writeDefinitionChanges(
  connection: ParticipantContext['connection'],
  changes: DefinitionChanges,
): Promise<void> {
  const { newEvents, newProperties, newPairs, seenEvents, seenProperties } = changes;
  const run = async (sql: string, rows: readonly object[]): Promise<void> => {
    if (rows.length > 0) await connection.run(sql, { rows: JSON.stringify(rows) });
  };
  await run(NEW_EVENTS, [...newEvents].map(newEventRow));
  await run(NEW_PROPERTIES, [...newProperties].map(newPropertyRow));
  await run(
    NEW_PAIRS,
    newPairs.map(({ event, property }) => ({
      project_id: event.projectId,
      event: event.name,
      property: property.name,
    })),
  );
  await run(
    SEEN_EVENTS,
    [...seenEvents]
      .filter((event) => !newEvents.has(event))
      .map(({ id, seenAt }) => ({ key: id, at: seenAt })),
  );
  await run(
    SEEN_PROPERTIES,
    [...seenProperties]
      .filter((property) => !newProperties.has(property))
      .map(({ id, seenAt, type }) => ({ key: id, at: seenAt, type })),
  );
}

function newEventRow({ id, projectId, name, firstSeenAt, seenAt }: KnownEvent): object {
  return { id, project_id: projectId, name, first: firstSeenAt, last: seenAt };
}

function newPropertyRow(property: KnownProperty): object {
  const { id, projectId, owner, name, type, firstSeenAt, seenAt } = property;
  return {
    id,
    project_id: projectId,
    type: typeOf(owner),
    group_type_index: groupTypeIndexOf(owner),
    name,
    property_type: type,
    first: firstSeenAt,
    last: seenAt,
  };
}

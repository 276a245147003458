import type { ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { DefinitionEdit, DefinitionRef } from './definition-orders.ts';
import { ownerOf, type OwnerType, type PropertyOwner } from './property-owner.ts';
import type { PropertyType } from './property-type.ts';

type Connection = ParticipantContext['connection'];

export interface StoredEvent {
  id: string;
  projectId: number;
  name: string;
  /** Unix microseconds, 0 for none. */
  seenAt: number;
}

export interface StoredProperty extends StoredEvent {
  owner: PropertyOwner;
  type: PropertyType | null;
}

export interface StoredPair {
  projectId: number;
  event: string;
  property: string;
}

/** Reads all names of all projects. */
export async function readDefinitions(
  connection: Connection,
): Promise<{ events: StoredEvent[]; properties: StoredProperty[]; pairs: StoredPair[] }> {
  const events = await connection.runAndReadAll(
    `SELECT id::VARCHAR, project_id, name, coalesce(epoch_us(last_seen_at), 0)::DOUBLE FROM event_definitions`,
  );
  const properties = await connection.runAndReadAll(
    `SELECT id::VARCHAR, project_id, name, epoch_us(last_seen_at)::DOUBLE, type, group_type_index, property_type
     FROM property_definitions`,
  );
  const pairs = await connection.runAndReadAll('SELECT project_id, event, property FROM event_properties');
  return {
    events: events.getRows().map(storedEventOf),
    properties: properties.getRows().map((row) => ({
      ...storedEventOf(row),
      owner: ownerOf(row[4] as OwnerType, row[5] as number | null),
      type: row[6] as PropertyType | null,
    })),
    pairs: pairs.getRows().map(([projectId, event, property]) => ({
      projectId: projectId as number,
      event: event as string,
      property: property as string,
    })),
  };
}

function storedEventOf([id, projectId, name, seenAt]: readonly unknown[]): StoredEvent {
  return { id: id as string, projectId: projectId as number, name: name as string, seenAt: seenAt as number };
}

/** Makes an event definition by hand; `now` in Unix milliseconds. */
export async function insertEventDefinition(
  connection: Connection,
  { id, projectId, name, now }: { id: string; projectId: number; name: string; now: number },
): Promise<void> {
  await connection.run(
    `INSERT INTO event_definitions (id, project_id, name, created_at, updated_at)
     VALUES ($id::UUID, $projectId::INTEGER, $name, epoch_ms($now::BIGINT), epoch_ms($now::BIGINT))`,
    { id, projectId, name, now: String(now) },
  );
}

const TABLES = { event: 'event_definitions', property: 'property_definitions' } as const;

/** Columns that take a value as it is, with their types. */
const COLUMNS = {
  description: 'VARCHAR',
  tags: 'VARCHAR',
  owner_id: 'INTEGER',
  post_to_slack: 'BOOLEAN',
  default_columns: 'VARCHAR',
  chosen_type: 'VARCHAR',
} as const;

/** Changes what people say of a definition; `now` in Unix milliseconds. False when there is no such definition. */
export async function updateDefinition(
  connection: Connection,
  { kind, projectId, id }: DefinitionRef,
  edit: DefinitionEdit,
  now: number,
): Promise<boolean> {
  const { verified, hidden, ...values } = edit;
  const params: Record<string, string | null> = { id, projectId: String(projectId), now: String(now) };
  const assignments = ['updated_at = epoch_ms($now::BIGINT)', ...statesOf(verified, hidden)];
  for (const [column, value] of Object.entries(values)) {
    assignments.push(`${column} = $${column}::${COLUMNS[column as keyof typeof COLUMNS]}`);
    params[column] = value === null ? null : String(value);
  }
  const result = await connection.runAndReadAll(
    `UPDATE ${TABLES[kind]} SET ${assignments.join(', ')}
     WHERE id = $id::UUID AND project_id = $projectId::INTEGER RETURNING id`,
    params,
  );
  return result.currentRowCount > 0;
}

/** Nothing is both verified and hidden: saying the one takes back the other (as PostHog has it). */
function statesOf(verified: boolean | undefined, hidden: boolean | undefined): string[] {
  if (hidden === true) return ['hidden = true', 'verified = false', 'verified_at = NULL'];
  if (verified === true) {
    const since = 'verified_at = CASE WHEN verified THEN verified_at ELSE epoch_ms($now::BIGINT) END';
    return ['hidden = false', 'verified = true', since];
  }
  return [
    ...(hidden === false ? ['hidden = false'] : []),
    ...(verified === false ? ['verified = false', 'verified_at = NULL'] : []),
  ];
}

/** Deletes an event name and what it was seen with; null when there is none. */
export async function deleteEventDefinition(
  connection: Connection,
  { projectId, id }: DefinitionRef,
): Promise<{ name: string } | null> {
  const params = { id, projectId: String(projectId) };
  const deleted = await connection.runAndReadAll(
    'DELETE FROM event_definitions WHERE id = $id::UUID AND project_id = $projectId::INTEGER RETURNING name',
    params,
  );
  const [row] = deleted.getRows();
  if (row === undefined) return null;
  const name = row[0] as string;
  await connection.run(
    'DELETE FROM event_properties WHERE project_id = $projectId::INTEGER AND event = $name',
    {
      projectId: String(projectId),
      name,
    },
  );
  return { name };
}

/** Deletes a property; null when there is none. */
export async function deletePropertyDefinition(
  connection: Connection,
  { projectId, id }: DefinitionRef,
): Promise<{ name: string; owner: PropertyOwner } | null> {
  const deleted = await connection.runAndReadAll(
    `DELETE FROM property_definitions WHERE id = $id::UUID AND project_id = $projectId::INTEGER
     RETURNING name, type, group_type_index`,
    { id, projectId: String(projectId) },
  );
  const [row] = deleted.getRows();
  if (row === undefined) return null;
  const name = row[0] as string;
  const owner = ownerOf(row[1] as OwnerType, row[2] as number | null);
  if (row[1] === 'event') {
    await connection.run(
      'DELETE FROM event_properties WHERE project_id = $projectId::INTEGER AND property = $name',
      { projectId: String(projectId), name },
    );
  }
  return { name, owner };
}

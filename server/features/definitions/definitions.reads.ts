import type { Params, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { ListEventDefinitionsQuery, ListPropertyDefinitionsQuery } from './definitions.contract.ts';

/** Names without `$` that SDKs set by themselves: ids, and the parameters of campaigns in an address. */
const CORE_PROPERTY_NAMES: readonly string[] = [
  'token', 'distinct_id', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'gad_source',
  'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'twclid', 'li_fat_id', 'mc_cid', 'igshid', 'ttclid',
  'rdt_cid', 'epik', 'qclid', 'sccid', 'irclid', '_kx',
]; // prettier-ignore

export interface EventDefinitionRow {
  id: string;
  name: string;
  ownerId: number | null;
  description: string;
  /** JSON text of a list, as `defaultColumns`. */
  tags: string;
  createdAt: string;
  updatedAt: string;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  verified: boolean;
  verifiedAt: string | null;
  hidden: boolean;
  postToSlack: boolean;
  defaultColumns: string;
}

export interface PropertyDefinitionRow {
  id: string;
  name: string;
  description: string;
  tags: string;
  propertyType: string | null;
  updatedAt: string;
  firstSeenAt: string;
  lastSeenAt: string;
  verified: boolean;
  verifiedAt: string | null;
  hidden: boolean;
  /** Null without a filter by events. */
  isSeen: boolean | null;
}

const EVENT = `id, name, owner_id AS "ownerId", description, tags, created_at AS "createdAt", updated_at AS "updatedAt",
  first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt", verified, verified_at AS "verifiedAt", hidden,
  post_to_slack AS "postToSlack", default_columns AS "defaultColumns"`;
const PROPERTY = `id, name, description, tags, coalesce(chosen_type, property_type) AS "propertyType",
  updated_at AS "updatedAt", first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt", verified,
  verified_at AS "verifiedAt", hidden`;
const STALE_AFTER_MS = 30 * 86_400_000;

/** Conditions and what they bind. */
interface Filter {
  conditions: string[];
  params: Record<string, Params[string]>;
}

/** Event names of a project and how many there are in all; `now` in Unix milliseconds. */
export function listEventDefinitions(
  db: Statements,
  projectId: number,
  query: ListEventDefinitionsQuery,
  slice: Slice,
  now: number,
): Promise<{ rows: EventDefinitionRow[]; count: number }> {
  const { event_type: type, names, tags, excluded_properties: excluded } = query;
  const filter = filterOf(projectId, query);
  const { conditions, params } = filter;
  if (type === 'event_custom') conditions.push(`NOT starts_with(name, '$')`);
  if (type === 'event_posthog') conditions.push(`starts_with(name, '$')`);
  addNames(filter, names, excluded);
  if (tags !== undefined) {
    conditions.push(`list_has_any(from_json(tags, '["VARCHAR"]'), $tags)`);
    params['tags'] = tags;
  }
  if (query.exclude_stale === true) {
    conditions.push('(last_seen_at IS NULL OR last_seen_at >= epoch_ms($staleBefore))');
    params['staleBefore'] = now - STALE_AFTER_MS;
  }
  const found = `SELECT ${EVENT} FROM event_definitions WHERE ${conditions.join(' AND ')}`;
  return selectPage<EventDefinitionRow>(db, found, params, eventOrder(query), slice);
}

const ORDERS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['created_at', '"createdAt"'],
  ['last_seen_at', '"lastSeenAt"'],
  // PostHog's names for the day of each.
  ['created_at::date', '"createdAt"::DATE'],
  ['last_seen_at::date', '"lastSeenAt"::DATE'],
]);

/** The name decides last, so that pages neither repeat nor leave out a row. */
function eventOrder({ ordering = '', search }: ListEventDefinitionsQuery): string {
  const columns = ordering.split(',').flatMap((field) => {
    const column = ORDERS.get(field.replace(/^-/, ''));
    return column === undefined ? [] : [`${column} ${field.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`];
  });
  if (columns.length > 0) return [...columns, 'name'].join(', ');
  // The shorter the name, the closer it comes to what was looked for.
  return `${search === undefined ? '' : 'length(name), '}"lastSeenAt"::DATE DESC NULLS LAST, name`;
}

/** Properties of events, persons or the groups of one type, and how many there are in all. */
export function listPropertyDefinitions(
  db: Statements,
  projectId: number,
  query: ListPropertyDefinitionsQuery,
  slice: Slice,
): Promise<{ rows: PropertyDefinitionRow[]; count: number }> {
  const { type = 'event', group_type_index: index, event_names: events = [] } = query;
  const filter = filterOf(projectId, query);
  const { conditions, params } = filter;
  conditions.push('type = $type');
  params['type'] = type;
  if (index !== undefined) {
    conditions.push('group_type_index = $index');
    params['index'] = index;
  }
  addNames(filter, query.properties, query.excluded_properties);
  addKinds(filter, query);
  let isSeen = 'NULL::BOOLEAN';
  if (events.length > 0) {
    isSeen = `name IN (SELECT property FROM event_properties
      WHERE project_id = $projectId AND list_contains($events, event))`;
    params['events'] = events;
    if (query.filter_by_event_names === true) conditions.push(isSeen);
  }
  const found = `SELECT ${PROPERTY}, ${isSeen} AS "isSeen" FROM property_definitions
    WHERE ${conditions.join(' AND ')}`;
  const order = `"isSeen" DESC NULLS LAST, ${query.search === undefined ? '' : 'length(name), '}name`;
  return selectPage<PropertyDefinitionRow>(db, found, params, order, slice);
}

/** What both lists have in common. */
function filterOf(
  projectId: number,
  query: {
    search?: string | undefined;
    verified?: boolean | undefined;
    hidden?: boolean | undefined;
    exclude_hidden?: boolean | undefined;
  },
): Filter {
  const filter: Filter = { conditions: ['project_id = $projectId'], params: { projectId } };
  const terms = (query.search ?? '').split(/\s+/).filter((term) => term !== '');
  terms.forEach((term, n) => {
    filter.conditions.push(`contains(lower(name), lower($term${n}))`);
    filter.params[`term${n}`] = term;
  });
  if (query.verified !== undefined) filter.conditions.push(query.verified ? 'verified' : 'NOT verified');
  if (query.hidden !== undefined) filter.conditions.push(query.hidden ? 'hidden' : 'NOT hidden');
  if (query.exclude_hidden === true) filter.conditions.push('NOT hidden');
  return filter;
}

function addNames(
  { conditions, params }: Filter,
  wanted: string[] | undefined,
  excluded: string[] | undefined,
): void {
  if (wanted !== undefined) {
    conditions.push('list_contains($wanted, name)');
    params['wanted'] = wanted;
  }
  if (excluded !== undefined) {
    conditions.push('NOT list_contains($excluded, name)');
    params['excluded'] = excluded;
  }
}

function addKinds({ conditions, params }: Filter, query: ListPropertyDefinitionsQuery): void {
  const { is_feature_flag: isFlag, is_numerical: isNumerical } = query;
  if (isFlag !== undefined) conditions.push(`${isFlag ? '' : 'NOT '}starts_with(name, '$feature/')`);
  if (isNumerical !== undefined) {
    conditions.push(`coalesce(chosen_type, property_type, '') ${isNumerical ? '=' : '<>'} 'Numeric'`);
  }
  if (query.exclude_core_properties === true) {
    conditions.push(`NOT starts_with(name, '$') AND NOT list_contains($core, name)`);
    params['core'] = CORE_PROPERTY_NAMES;
  }
}

export function findEventDefinition(
  db: Statements,
  projectId: number,
  id: string,
): Promise<EventDefinitionRow | null> {
  return db.first<EventDefinitionRow>(
    `SELECT ${EVENT} FROM event_definitions WHERE project_id = $projectId AND id = $id::UUID`,
    { projectId, id },
  );
}

export function findEventDefinitionByName(
  db: Statements,
  projectId: number,
  name: string,
): Promise<EventDefinitionRow | null> {
  return db.first<EventDefinitionRow>(
    `SELECT ${EVENT} FROM event_definitions WHERE project_id = $projectId AND name = $name`,
    { projectId, name },
  );
}

export function findPropertyDefinition(
  db: Statements,
  projectId: number,
  id: string,
): Promise<PropertyDefinitionRow | null> {
  return db.first<PropertyDefinitionRow>(
    `SELECT ${PROPERTY}, NULL::BOOLEAN AS "isSeen" FROM property_definitions
     WHERE project_id = $projectId AND id = $id::UUID`,
    { projectId, id },
  );
}

/** Those of the events that were seen with the property. */
export async function listEventsWithProperty(
  db: Statements,
  projectId: number,
  events: readonly string[],
  property: string,
): Promise<string[]> {
  const rows = await db.all<{ event: string }>(
    `SELECT event FROM event_properties
     WHERE project_id = $projectId AND property = $property AND list_contains($events, event)`,
    { projectId, property, events },
  );
  return rows.map(({ event }) => event);
}

/** A property whose values are more than text. */
export interface TypedPropertyRow {
  kind: 'event' | 'person' | 'group';
  /** Of a group's property; else null. */
  groupTypeIndex: number | null;
  name: string;
  type: 'Numeric' | 'Boolean' | 'DateTime';
}

/** The properties of a project that hold numbers, booleans or times; all others are text. */
export function listTypedProperties(db: Statements, projectId: number): Promise<TypedPropertyRow[]> {
  return db.all<TypedPropertyRow>(
    `SELECT type AS kind, group_type_index AS "groupTypeIndex", name, coalesce(chosen_type, property_type) AS type
     FROM property_definitions
     WHERE project_id = $projectId AND coalesce(chosen_type, property_type) IN ('Numeric', 'Boolean', 'DateTime')`,
    { projectId },
  );
}

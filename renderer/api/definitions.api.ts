import type {
  EventDefinitionJson,
  PropertyDefinitionJson,
} from '../../server/features/definitions/definitions.contract.ts';
import { request } from './http.ts';

export type EventDefinition = EventDefinitionJson;
export type PropertyDefinition = PropertyDefinitionJson;

export interface Page<Item> {
  count: number;
  results: Item[];
}

/** What may be said about a definition. Nothing is both verified and hidden: saying the one takes back the other. */
export interface DefinitionChange {
  description?: string;
  tags?: string[];
  verified?: boolean;
  hidden?: boolean;
}

export interface DefinitionQuery {
  search?: string | undefined;
  verified?: boolean;
  hidden?: boolean;
  limit: number;
  offset: number;
}

export interface EventQuery extends DefinitionQuery {
  /** `name`, `created_at` or `last_seen_at`, with `-` the other way round. */
  ordering?: string | undefined;
  /** Only the project's own names, or only PostHog's. */
  eventType?: 'event_custom' | 'event_posthog' | undefined;
}

export interface PropertyQuery extends DefinitionQuery {
  /** Whose properties. */
  kind: 'event' | 'person' | 'group';
  /** For those of groups. */
  groupTypeIndex?: number;
  /** Only the project's own, not those that PostHog's SDKs set. */
  isOwnOnly?: boolean;
  /** Only those seen with this event. */
  event?: string;
}

const eventsOf = (projectId: number, rest = ''): string =>
  `/api/projects/${projectId}/event_definitions/${rest}`;
const propertiesOf = (projectId: number, rest = ''): string =>
  `/api/projects/${projectId}/property_definitions/${rest}`;

/** Event names of a project, a page at a time; without an order those seen last first. */
export function listEventDefinitions(
  projectId: number,
  { eventType, ...query }: EventQuery,
): Promise<Page<EventDefinition>> {
  return request(eventsOf(projectId), { query: { ...query, event_type: eventType } });
}

/** Says something about an event name. */
export function changeEventDefinition(
  projectId: number,
  id: string,
  change: DefinitionChange,
): Promise<EventDefinition> {
  return request(eventsOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

/** Forgets what was said about an event name; its events stay. */
export function deleteEventDefinition(projectId: number, id: string): Promise<void> {
  return request(eventsOf(projectId, `${id}/`), { method: 'DELETE' });
}

/** Lists an event name, with what is said about it. */
export function createEventDefinition(
  projectId: number,
  definition: DefinitionChange & { name: string },
): Promise<EventDefinition> {
  return request(eventsOf(projectId), { method: 'POST', body: definition });
}

/** Properties of events, persons or groups, a page at a time. */
export function listPropertyDefinitions(
  projectId: number,
  { kind, groupTypeIndex, isOwnOnly, event, ...query }: PropertyQuery,
): Promise<Page<PropertyDefinition>> {
  return request(propertiesOf(projectId), {
    query: {
      ...query,
      type: kind,
      group_type_index: groupTypeIndex,
      exclude_core_properties: isOwnOnly ? true : undefined,
      event_names: event === undefined ? undefined : JSON.stringify([event]),
      filter_by_event_names: event === undefined ? undefined : true,
    },
  });
}

/** Says something about a property. */
export function changePropertyDefinition(
  projectId: number,
  id: string,
  change: DefinitionChange,
): Promise<PropertyDefinition> {
  return request(propertiesOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

/** Forgets what was said about a property; its values stay. */
export function deletePropertyDefinition(projectId: number, id: string): Promise<void> {
  return request(propertiesOf(projectId, `${id}/`), { method: 'DELETE' });
}

/** Which of these events have carried a property. */
export function findSeenTogether(
  projectId: number,
  events: readonly string[],
  property: string,
): Promise<Record<string, boolean>> {
  return request(propertiesOf(projectId, 'seen_together/'), {
    query: { event_names: JSON.stringify(events), property_name: property },
  });
}

/** Up to ten values that a property of events had in the last seven days. */
export async function listSampleValues(projectId: number, property: string): Promise<unknown[]> {
  const values = await request<{ name: unknown }[]>(`/api/projects/${projectId}/events/values/`, {
    query: { key: property },
  });
  return values.map(({ name }) => name);
}

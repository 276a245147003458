import type {
  NameCount,
  PersonActivityJson,
  PersonJson,
  PersonOriginsJson,
} from '../../server/features/persons/persons.contract.ts';
import { request } from './http.ts';

export type Person = PersonJson;
export type PersonOrigins = PersonOriginsJson;
export type PersonActivity = PersonActivityJson;
export type { NameCount };

/** A condition on a property of persons, in PostHog's shape. */
export interface PersonFilter {
  key: string;
  type: 'person';
  operator: string;
  value?: string | readonly string[];
}

export interface PersonQuery {
  limit: number;
  offset?: number;
  search?: string;
  filters?: readonly PersonFilter[];
  /** Leaves `count` at the number of persons on the page. */
  isUncounted?: boolean;
}

/** Persons of one page, and how many there are on all pages. */
export interface PersonPage {
  persons: Person[];
  count: number;
  hasNext: boolean;
}

const pathOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/persons/${rest}`;
const pathOfOne = (projectId: number, id: string | number, rest = ''): string =>
  pathOf(projectId, `${encodeURIComponent(id)}/${rest}`);

/** The persons of a project that pass, newest first. */
export async function listPersons(projectId: number, query: PersonQuery): Promise<PersonPage> {
  const { limit, offset, search, filters = [], isUncounted = false } = query;
  const page = await request<{ count?: number; next: string | null; results: Person[] }>(pathOf(projectId), {
    query: {
      limit,
      offset: offset || undefined,
      search: search || undefined,
      properties: filters.length > 0 ? JSON.stringify(filters) : undefined,
      include_total: isUncounted ? undefined : true,
    },
  });
  return { persons: page.results, count: page.count ?? page.results.length, hasNext: page.next !== null };
}

/** A person with what set its properties and what became part of it; `id` is an integer id or a UUID. */
export function getPerson(projectId: number, id: string): Promise<PersonOrigins> {
  return request<PersonOrigins>(`/api/projects/${projectId}/burrow/persons/${encodeURIComponent(id)}/`);
}

/** What a person's events amount to; reads events, so it may take a moment. */
export function getPersonActivity(projectId: number, id: string): Promise<PersonActivity> {
  return request<PersonActivity>(
    `/api/projects/${projectId}/burrow/persons/${encodeURIComponent(id)}/activity/`,
  );
}

/** Writes one property of a person, as `$set` does. */
export function setPersonProperty(projectId: number, id: string, key: string, value: unknown): Promise<void> {
  return request(pathOfOne(projectId, id, 'update_property/'), { method: 'POST', body: { key, value } });
}

/** Takes one property from a person. */
export async function deletePersonProperty(projectId: number, id: string, key: string): Promise<void> {
  await request(pathOfOne(projectId, id, 'delete_property/'), { method: 'POST', body: { $unset: key } });
}

/** Deletes persons; with `withEvents` their events too. */
export function deletePersons(
  projectId: number,
  uuids: readonly string[],
  withEvents: boolean,
): Promise<void> {
  return request(pathOf(projectId, 'bulk_delete/'), {
    method: 'POST',
    body: { ids: uuids, delete_events: withEvents },
  });
}

/** Makes a person of its own of each distinct id; the properties stay with `mainDistinctId`. */
export async function splitPerson(projectId: number, id: string, mainDistinctId: string): Promise<void> {
  await request(pathOfOne(projectId, id, 'split/'), {
    method: 'POST',
    body: { main_distinct_id: mainDistinctId },
  });
}

/** The names of all properties that persons have. */
export function listPersonProperties(projectId: number): Promise<NameCount[]> {
  return request<NameCount[]>(pathOf(projectId, 'properties/'));
}

/** The most frequent values of a property among persons; `part` is what they contain. */
export function listPersonValues(projectId: number, key: string, part: string): Promise<NameCount[]> {
  return request<NameCount[]>(pathOf(projectId, 'values/'), { query: { key, value: part || undefined } });
}

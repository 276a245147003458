import type { z } from 'zod';
import type { CohortJson, CohortUsageJson, preview } from '../../server/features/cohorts/cohorts.contract.ts';
import { request } from './http.ts';
import type { Person } from './persons.api.ts';

/** One condition of a cohort as the server stores it: on a property, on another cohort, or on behavior. */
export interface CohortLeaf {
  type: 'person' | 'cohort' | 'behavioral';
  key: string;
  value?: unknown;
  operator?: string | null;
  negation?: boolean;
  [key: string]: unknown;
}

/** All (AND) or one (OR) of the parts must hold. */
export interface CohortTree {
  type: 'AND' | 'OR';
  values: (CohortTree | CohortLeaf)[];
}

/** A cohort; its rule as it was sent. */
export type Cohort = Omit<CohortJson, 'filters'> & { filters: { properties?: CohortTree } | null };

export interface CohortChange {
  name?: string;
  description?: string;
  filters?: { properties: CohortTree };
  is_static?: boolean;
  deleted?: boolean;
}

export interface CohortQuery {
  limit: number;
  offset?: number;
  search?: string | undefined;
  type?: 'static' | 'dynamic' | undefined;
}

export interface CohortPage {
  count: number;
  next: string | null;
  results: Cohort[];
}

/** The flags and cohorts that use a cohort. */
export type CohortUse = CohortUsageJson['results'][number];

/** Who would be in a cohort of these rules, and how many persons the project has. */
export type CohortPreview = z.output<typeof preview>;

/** Members of one page. */
export interface MemberPage {
  persons: Person[];
  hasNext: boolean;
}

const pathOf = (projectId: number, rest = ''): string => `/api/projects/${projectId}/cohorts/${rest}`;
const ownOf = (projectId: number, rest: string): string =>
  `/api/projects/${projectId}/burrow/cohorts/${rest}`;

/** Cohorts of a project, a page at a time, the newest first. */
export function listCohorts(projectId: number, query: CohortQuery): Promise<CohortPage> {
  return request(pathOf(projectId), { query: { ...query, search: query.search || undefined } });
}

/** One cohort, also one that is deleted. */
export function getCohort(projectId: number, id: number): Promise<Cohort> {
  return request(pathOf(projectId, `${id}/`));
}

/** Makes a cohort; a static one begins with these persons, by UUID. */
export function createCohort(
  projectId: number,
  cohort: CohortChange & { _create_static_person_ids?: string[] },
): Promise<Cohort> {
  return request(pathOf(projectId), { method: 'POST', body: cohort });
}

/** Changes a cohort and returns it as it is then; `{ deleted: true }` deletes it. */
export function changeCohort(projectId: number, id: number, change: CohortChange): Promise<Cohort> {
  return request(pathOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

/** Adds to a static cohort all persons in the text of a CSV file, by distinct id, email address or person id. */
export function uploadMembers(projectId: number, id: number, csv: string): Promise<Cohort> {
  return request(pathOf(projectId, `${id}/`), { method: 'PATCH', body: { csv } });
}

/** The members of a cohort, a page at a time. */
export async function listMembers(
  projectId: number,
  id: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<MemberPage> {
  const page = await request<{ results: Person[]; next: string | null }>(
    pathOf(projectId, `${id}/persons/`),
    {
      query: { limit, offset: offset || undefined },
    },
  );
  return { persons: page.results, hasNext: page.next !== null };
}

/** Adds persons, by UUID, to a static cohort. */
export function addMembers(projectId: number, id: number, uuids: readonly string[]): Promise<void> {
  return request(pathOf(projectId, `${id}/add_persons_to_static_cohort/`), {
    method: 'PATCH',
    body: { person_ids: uuids },
  });
}

/** Takes a person, by UUID, out of a static cohort. */
export function removeMember(projectId: number, id: number, uuid: string): Promise<void> {
  return request(pathOf(projectId, `${id}/remove_person_from_static_cohort/`), {
    method: 'PATCH',
    body: { person_id: uuid },
  });
}

/** The flags and cohorts that use each cohort, for cohorts in use. */
export async function listCohortUses(projectId: number): Promise<CohortUse[]> {
  const { results } = await request<{ results: CohortUse[] }>(ownOf(projectId, 'usage/'));
  return results;
}

/** Who would be in a cohort of these rules now; nothing is stored. */
export function previewCohort(projectId: number, properties: CohortTree): Promise<CohortPreview> {
  return request(ownOf(projectId, 'preview/'), { method: 'POST', body: { filters: { properties } } });
}

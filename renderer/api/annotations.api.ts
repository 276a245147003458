import type { AnnotationJson } from '../../server/features/annotations/annotations.contract.ts';
import { request } from './http.ts';

/** An annotation: what happened at a time, and the charts that show it. */
export type Annotation = AnnotationJson;
export type AnnotationScope = AnnotationJson['scope'];

/** What may be written of an annotation. */
export interface AnnotationChange {
  content?: string;
  /** ISO 8601. */
  date_marker?: string;
  scope?: AnnotationScope;
  /** Id of the insight it is tied to. */
  dashboard_item?: number | null;
  dashboard_id?: number | null;
  deleted?: boolean;
}

export interface AnnotationQuery {
  limit: number;
  offset?: number;
  /** Part of the text. */
  search?: string | undefined;
  scope?: AnnotationScope | undefined;
}

export interface AnnotationPage {
  count: number;
  next: string | null;
  results: Annotation[];
}

/** The page size of the server. */
const PAGE = 1000;

const annotationsOf = (projectId: number, rest = ''): string =>
  `/api/projects/${projectId}/annotations/${rest}`;

/** Annotations of a project and those for its whole organization, a page at a time, the latest moment first. */
export function listAnnotations(projectId: number, query: AnnotationQuery): Promise<AnnotationPage> {
  return request(annotationsOf(projectId), { query: { ...query } });
}

/** All annotations that charts of a project may show. */
export async function listAllAnnotations(projectId: number): Promise<Annotation[]> {
  const found: Annotation[] = [];
  for (;;) {
    const page = await listAnnotations(projectId, { limit: PAGE, offset: found.length });
    found.push(...page.results);
    if (page.next === null || page.results.length === 0) return found;
  }
}

/** One annotation that is not deleted. */
export function getAnnotation(projectId: number, id: number): Promise<Annotation> {
  return request(annotationsOf(projectId, `${id}/`));
}

/** Writes down what happened. */
export function createAnnotation(projectId: number, annotation: AnnotationChange): Promise<Annotation> {
  return request(annotationsOf(projectId), { method: 'POST', body: annotation });
}

/** Changes an annotation and returns it as it is then; `{ deleted: true }` deletes it. */
export function changeAnnotation(
  projectId: number,
  id: number,
  change: AnnotationChange,
): Promise<Annotation> {
  return request(annotationsOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

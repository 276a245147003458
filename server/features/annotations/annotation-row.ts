import type { AnnotationJson } from './annotations.contract.ts';

/** What people set of an annotation. */
export interface AnnotationFields {
  readonly content: string | null;
  /** ISO 8601, UTC. */
  readonly dateMarker: string | null;
  readonly creationType: AnnotationJson['creation_type'];
  readonly insightId: number | null;
  readonly dashboardId: number | null;
  readonly scope: AnnotationJson['scope'];
  readonly deleted: boolean;
}

export interface Annotation extends AnnotationFields {
  readonly id: number;
  readonly projectId: number;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The columns of an Annotation, of a table named `a`. */
export const ANNOTATION = `a.id, a.project_id AS "projectId", a.content, a.date_marker AS "dateMarker",
  a.creation_type AS "creationType", a.insight_id AS "insightId", a.dashboard_id AS "dashboardId", a.scope, a.deleted,
  a.created_by AS "createdBy", a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

/** Where annotations are looked for: those of the project, and those of its organization that are for every project. */
export const IN_SIGHT = `(a.project_id = $projectId
  OR (a.scope = 'organization' AND a.organization_id = $organizationId::UUID))`;

/** Who looks, and from where. */
export type AnnotationPlace = { projectId: number; organizationId: string };

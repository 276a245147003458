import type { Params, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import { ANNOTATION, IN_SIGHT, type Annotation, type AnnotationPlace } from './annotation-row.ts';
import type { ListAnnotationsQuery } from './annotations.contract.ts';

/** An object to which an annotation may be tied. */
export interface TiedObject {
  readonly id: number;
  readonly createdBy: number | null;
}

/** An annotation, and the names of its insight and its dashboard. */
export interface ShownAnnotation extends Annotation {
  readonly dashboardName: string | null;
  readonly dashboardCreatedBy: number | null;
  readonly insightShortId: string | null;
  readonly insightName: string | null;
  readonly insightDerivedName: string | null;
  readonly insightCreatedBy: number | null;
}

const SHOWN = `SELECT ${ANNOTATION}, d.name AS "dashboardName", d.created_by AS "dashboardCreatedBy",
    i.short_id AS "insightShortId", i.name AS "insightName", i.derived_name AS "insightDerivedName",
    i.created_by AS "insightCreatedBy"
  FROM annotations a
  LEFT JOIN dashboards d ON d.id = a.dashboard_id
  LEFT JOIN insights i ON i.id = a.insight_id`;

/** Live annotations in sight of a project, the latest moment first, and how many there are in all. */
export function listAnnotations(
  db: Statements,
  { projectId, organizationId }: AnnotationPlace,
  query: ListAnnotationsQuery,
  slice: Slice,
): Promise<{ rows: ShownAnnotation[]; count: number }> {
  const conditions = [IN_SIGHT, 'NOT a.deleted'];
  const params: Record<string, Params[string]> = { projectId, organizationId };
  const add = (name: string, value: string | number | undefined, condition: string) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add('search', query.search, 'contains(lower(a.content), lower($search))');
  add('scope', query.scope, 'a.scope = $scope');
  add('after', query.after, 'a.created_at > $after::TIMESTAMP');
  add('before', query.before, 'a.created_at < $before::TIMESTAMP');
  add('insightId', query.dashboardItemId, 'a.insight_id = $insightId');
  const found = `${SHOWN} WHERE ${conditions.join(' AND ')}`;
  return selectPage<ShownAnnotation>(db, found, params, '"dateMarker" DESC NULLS LAST, id DESC', slice);
}

/** Also one that is deleted; null when there is none in sight. */
export function showAnnotation(
  db: Statements,
  { projectId, organizationId }: AnnotationPlace,
  id: number,
): Promise<ShownAnnotation | null> {
  const params = { id, projectId, organizationId };
  return db.first<ShownAnnotation>(`${SHOWN} WHERE a.id = $id AND ${IN_SIGHT}`, params);
}

/** The project's live insight or dashboard of this id, or null. */
export function findTiedObject(
  db: Statements,
  kind: 'insight' | 'dashboard',
  projectId: number,
  id: number,
): Promise<TiedObject | null> {
  return db.first<TiedObject>(
    `SELECT id, created_by AS "createdBy" FROM ${kind === 'insight' ? 'insights' : 'dashboards'}
     WHERE id = $id AND project_id = $projectId AND NOT deleted`,
    { id, projectId },
  );
}

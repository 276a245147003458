import type { Statements } from '../../db/db.ts';
import {
  ANNOTATION,
  IN_SIGHT,
  type Annotation,
  type AnnotationFields,
  type AnnotationPlace,
} from './annotation-row.ts';

/** Also one that is deleted; null when there is none in sight. */
export function findAnnotation(
  db: Statements,
  { projectId, organizationId }: AnnotationPlace,
  id: number,
): Promise<Annotation | null> {
  return db.first<Annotation>(`SELECT ${ANNOTATION} FROM annotations a WHERE a.id = $id AND ${IN_SIGHT}`, {
    id,
    projectId,
    organizationId,
  });
}

/** Returns the id that the database gave; `now` in Unix milliseconds. */
export async function insertAnnotation(
  tx: Statements,
  annotation: AnnotationFields & AnnotationPlace & { createdBy: number; now: number },
): Promise<number> {
  const row = await tx.first<{ id: number }>(
    `INSERT INTO annotations (organization_id, project_id, content, date_marker, scope, creation_type, insight_id,
       dashboard_id, created_by, created_at, updated_at, deleted)
     VALUES ($organizationId, $projectId, $content, $dateMarker::TIMESTAMP, $scope, $creationType, $insightId,
       $dashboardId, $createdBy, epoch_ms($now), epoch_ms($now), $deleted)
     RETURNING id`,
    { ...annotation },
  );
  return row!.id;
}

/** `now` in Unix milliseconds. */
export async function updateAnnotation(
  tx: Statements,
  annotation: AnnotationFields & { id: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE annotations SET content = $content, date_marker = $dateMarker::TIMESTAMP, scope = $scope,
       creation_type = $creationType, insight_id = $insightId, dashboard_id = $dashboardId,
       updated_at = epoch_ms($now), deleted = $deleted
     WHERE id = $id`,
    { ...annotation },
  );
}

import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { activityOfUpdate, changesBetween, recordActivity } from '../activity-log/index.ts';
import type { AnnotationFields } from './annotation-row.ts';
import type { AnnotationBody } from './annotations.contract.ts';
import { findTiedObject } from './annotations.reads.ts';
import { findAnnotation, insertAnnotation, updateAnnotation } from './annotations.store.ts';
import { annotationResource } from './annotations.resource.ts';

/** Changes to annotations; each notes itself in the activity log. */
export interface Annotations {
  /** Returns the id. Throws does_not_exist for an unknown insight or dashboard. */
  create(actor: Actor, projectId: number, body: AnnotationBody): Promise<number>;
  /** Throws does_not_exist as `create`, and not_found for one that is deleted and not to be restored. */
  update(actor: Actor, projectId: number, id: number, body: AnnotationBody): Promise<void>;
}

interface Dependencies {
  db: Db;
  access: Access;
  clock: Clock;
  newId: NewId;
}

const NEW: AnnotationFields = {
  content: null,
  dateMarker: null,
  creationType: 'USR',
  insightId: null,
  dashboardId: null,
  scope: 'dashboard_item',
  deleted: false,
};

export function createAnnotations({ db, access, clock, newId }: Dependencies): Annotations {
  const entry = (actor: Actor, projectId: number, id: number, { content }: AnnotationFields) => ({
    id: newId(),
    organizationId: actor.organizationId,
    projectId,
    userId: actor.user.id,
    scope: annotationResource.activity,
    itemId: String(id),
    name: content,
  });

  /** What the body ties an annotation to must be of the project, and the caller must see it. */
  async function checkTies(tx: Statements, actor: Actor, projectId: number, body: AnnotationBody) {
    const ties = [
      ['insight', 'dashboard_item', body.dashboard_item],
      ['dashboard', 'dashboard_id', body.dashboard_id],
    ] as const;
    for (const [kind, attr, id] of ties) {
      if (id === undefined || id === null) continue;
      const object = await findTiedObject(tx, kind, projectId, id);
      if (object !== null && access.levelOf(actor, projectId, kind, object) !== 'none') continue;
      throw fail('does_not_exist', { attr, detail: `This project has no ${kind} with the id ${id}.` });
    }
  }

  return {
    create: (actor, projectId, body) =>
      db.transaction(async (tx) => {
        const now = clock();
        await checkTies(tx, actor, projectId, body);
        const { organizationId } = actor;
        const fields = fieldsOf(NEW, body);
        const createdBy = actor.user.id;
        const id = await insertAnnotation(tx, { ...fields, projectId, organizationId, createdBy, now });
        await recordActivity(tx, { ...entry(actor, projectId, id, fields), activity: 'created', now });
        return id;
      }),
    update: (actor, projectId, id, body) =>
      db.transaction(async (tx) => {
        const place = { projectId, organizationId: actor.organizationId };
        const before = await findAnnotation(tx, place, id);
        // What is deleted can only be restored (management contract 3.5).
        if (before === null || (before.deleted && body.deleted !== false)) throw fail('not_found');
        const now = clock();
        await checkTies(tx, actor, before.projectId, body);
        const fields = fieldsOf(before, body);
        const changes = changesBetween(annotationResource.activity, logFieldsOf(before), logFieldsOf(fields));
        if (changes.length === 0) return;
        await updateAnnotation(tx, { ...fields, id, now });
        const activity = activityOfUpdate(changes);
        await recordActivity(tx, {
          ...entry(actor, before.projectId, id, fields),
          activity,
          changes,
          now,
        });
      }),
  };
}

/** What the body says, and the rest as it was. */
function fieldsOf(old: AnnotationFields, body: AnnotationBody): AnnotationFields {
  return {
    content: body.content === undefined ? old.content : body.content,
    dateMarker: body.date_marker === undefined ? old.dateMarker : body.date_marker,
    creationType: body.creation_type ?? old.creationType,
    insightId: body.dashboard_item === undefined ? old.insightId : body.dashboard_item,
    dashboardId: body.dashboard_id === undefined ? old.dashboardId : body.dashboard_id,
    scope: body.scope ?? old.scope,
    deleted: body.deleted ?? old.deleted,
  };
}

/** The fields of an annotation in the activity log, by the names of the wire. */
function logFieldsOf(fields: AnnotationFields) {
  const { content, dateMarker, creationType, insightId, dashboardId, scope, deleted } = fields;
  return {
    content,
    date_marker: dateMarker,
    creation_type: creationType,
    dashboard_item: insightId,
    dashboard_id: dashboardId,
    scope,
    deleted,
  };
}

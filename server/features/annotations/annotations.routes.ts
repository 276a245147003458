import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import { type AnnotationJson, annotationsApi } from './annotations.contract.ts';
import { listAnnotations, showAnnotation, type ShownAnnotation } from './annotations.reads.ts';
import type { Annotations } from './annotations.service.ts';

const route = routesOf(annotationsApi);

/** Charts want all annotations of their time, so pages are larger than those of other lists (management contract 9.5). */
const PAGE_LENGTH = 1000;

export interface AnnotationRouteParts {
  annotations: Annotations;
  db: Db;
  access: Access;
  users: Users;
}

interface PathContext {
  params: { id: number };
  project: { id: number };
  actor: Actor;
}

export function annotationRoutes({
  annotations,
  db,
  access,
  users,
}: AnnotationRouteParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['annotation:read'], pathObject: 'annotation' } as const;
  const write = {
    auth: 'key',
    scope: ['annotation:write'],
    pathObject: 'annotation',
    errors: ['does_not_exist'],
  } as const;
  const path = 'P/annotations/:id/';

  async function find({ params, project, actor }: PathContext): Promise<ShownAnnotation> {
    const place = { projectId: project.id, organizationId: actor.organizationId };
    return (await showAnnotation(db, place, params.id)) ?? notFound();
  }

  async function findToShow(context: PathContext): Promise<ShownAnnotation> {
    const found = await find(context);
    if (found.deleted) throw fail('not_found');
    access.check(context.actor, context.project.id, 'annotation', found, 'viewer');
    return found;
  }

  async function findToChange(context: PathContext): Promise<ShownAnnotation> {
    const found = await find(context);
    access.check(context.actor, context.project.id, 'annotation', found, 'editor');
    return found;
  }

  const show = async (context: PathContext) => jsonOf(await find(context), context);

  /** An annotation as it is answered; what the caller may not see of insights and dashboards is left out. */
  function jsonOf(
    row: ShownAnnotation,
    { project, actor }: Pick<PathContext, 'project' | 'actor'>,
  ): AnnotationJson {
    const sees = (resource: 'insight' | 'dashboard', id: number | null, createdBy: number | null) =>
      id !== null &&
      row.projectId === project.id &&
      access.levelOf(actor, project.id, resource, { id, createdBy }) !== 'none';
    const seesInsight = sees('insight', row.insightId, row.insightCreatedBy);
    return {
      id: row.id,
      content: row.content,
      date_marker: row.dateMarker,
      creation_type: row.creationType,
      dashboard_item: row.insightId,
      dashboard_id: row.dashboardId,
      dashboard_name: sees('dashboard', row.dashboardId, row.dashboardCreatedBy) ? row.dashboardName : null,
      insight_short_id: seesInsight ? row.insightShortId : null,
      insight_name: seesInsight ? row.insightName : null,
      insight_derived_name: seesInsight ? row.insightDerivedName : null,
      created_by: users.embedded(row.createdBy),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      deleted: row.deleted,
      scope: row.scope,
    };
  }

  const update = (method: 'PATCH' | 'PUT'): ManagementRoute =>
    route(`${method} P/annotations/:id/`, {
      ...write,
      summary:
        'Updates, deletes (`deleted: true`) or restores an annotation; omitted fields are not changed.',
      lookup: findToChange,
      handle: async (context) => {
        const { actor, project, params, body } = context;
        await annotations.update(actor, project.id, params.id, body);
        return show(context);
      },
    });

  return [
    route('GET P/annotations/', {
      ...read,
      summary: 'Lists annotations of a project and its organization, latest first.',
      handle: async (context) => {
        const { project, actor, query, url } = context;
        const place = { projectId: project.id, organizationId: actor.organizationId };
        const slice = readPage(url.searchParams, PAGE_LENGTH);
        const { rows, count } = await listAnnotations(db, place, query, slice);
        const results = rows.map((row) => jsonOf(row, context));
        return pageOf(url, results, count, PAGE_LENGTH);
      },
    }),
    route('POST P/annotations/', {
      ...write,
      summary: 'Creates an annotation, which is shown on charts.',
      status: 201,
      handle: async ({ project, actor, body }) => {
        const id = await annotations.create(actor, project.id, body);
        return Reply.json(201, await show({ params: { id }, project, actor }));
      },
    }),
    route('GET P/annotations/:id/', {
      ...read,
      summary: 'Retrieves an annotation.',
      lookup: findToShow,
      handle: (context) => jsonOf(context.found, context),
    }),
    update('PATCH'),
    update('PUT'),
    refusedDelete(path),
  ];
}

function notFound(): never {
  throw fail('not_found');
}

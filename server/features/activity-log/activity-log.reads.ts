import type { Params, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { Resource } from '../../http/define-resource.ts';
import type { Actor } from '../../http/define-route.ts';
import { quoteText } from '../../lib/quote-sql.ts';
import { selectObjects } from '../../lib/resource-table.ts';
import type { Access } from '../access/index.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

export interface ActivityRow {
  id: string;
  projectId: number | null;
  userId: number | null;
  activity: string;
  scope: string;
  itemId: string;
  /** JSON text: name, short_id, changes. */
  detail: string;
  createdAt: string;
}

/** The filter of a list; absent fields match everything. */
export interface ActivityFilter {
  /** Id or uuid. */
  user?: number | string | undefined;
  scopes?: readonly string[] | undefined;
  itemId?: string | undefined;
  activities?: readonly string[] | undefined;
  search?: string | undefined;
  /** Unix milliseconds: not before, and before. */
  from?: number | undefined;
  to?: number | undefined;
}

/** A resource of which the caller sees only some objects, as `access.visibility` says. */
export interface PartlySeen {
  readonly resource: Resource;
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/** The log of a project as a caller sees it, with what is not to be seen in it. */
export interface ProjectLog {
  projectId: number;
  userId: number;
  partlySeen: readonly PartlySeen[];
  withoutScopes: readonly string[];
}

/** Whose log is read: of a project, or of the organization. */
export type ActivityLog = { organizationId: string } | ProjectLog;

/** Who may do what is for those to read who may change it. */
const FOR_ADMINS = ['AccessControl'];

export type LogOf = (actor: Actor, projectId: number) => ProjectLog;

/** What the actor may read of a project's log: nothing about objects that are hidden from it. */
export function createLogOf(access: Access, resources: readonly Resource[]): LogOf {
  return (actor, projectId) => {
    const partlySeen = resources
      .map((resource) => ({ resource, ...access.visibility(actor, projectId, resource.noun) }))
      .filter(({ byDefault, exceptions }) => !byDefault || exceptions.length > 0);
    const isAdmin = access.projectLevel(actor, projectId) >= ADMIN;
    return { projectId, userId: actor.user.id, partlySeen, withoutScopes: isAdmin ? [] : FOR_ADMINS };
  };
}

/** Entries, newest first, and how many there are in all. */
export function listActivity(
  db: Statements,
  log: ActivityLog,
  filter: ActivityFilter,
  slice: Slice,
): Promise<{ rows: ActivityRow[]; count: number }> {
  const conditions: string[] = [];
  const params: Record<string, Params[string]> = {};
  const add = (name: string, value: Params[string] | undefined, condition: string) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  if ('organizationId' in log) {
    add('organizationId', log.organizationId, 'organization_id = $organizationId::UUID');
  } else {
    add('projectId', log.projectId, 'project_id = $projectId');
    conditions.push(visibleEntries(log));
  }
  const { user } = filter;
  if (typeof user === 'string') {
    add('user', user, 'user_id = (SELECT id FROM users WHERE uuid = $user::UUID)');
  } else add('user', user, 'user_id = $user');
  add('scopes', filter.scopes, 'list_contains($scopes, scope)');
  add('itemId', filter.itemId, 'item_id = $itemId');
  add('activities', filter.activities, 'list_contains($activities, activity)');
  add('search', filter.search, `contains(lower(json_extract_string(detail, '$.name')), lower($search))`);
  add('from', filter.from, 'created_at >= epoch_ms($from)');
  add('to', filter.to, 'created_at < epoch_ms($to)');
  const found = `SELECT id, project_id AS "projectId", user_id AS "userId", activity, scope, item_id AS "itemId", detail,
    created_at AS "createdAt" FROM activity_log WHERE ${conditions.join(' AND ')}`;
  return selectPage<ActivityRow>(db, found, params, '"createdAt" DESC, id DESC', slice);
}

/**
 * SQL for the entries of a project that the caller sees, with everything written out: lists and queries share it. Only
 * numbers and names of this code are in it.
 */
export function visibleEntries({ partlySeen, withoutScopes, ...caller }: ProjectLog): string {
  const conditions = partlySeen.map((seen) => visibleOf(seen, caller));
  if (withoutScopes.length > 0) conditions.push(`scope NOT IN (${withoutScopes.map(quoteText).join(', ')})`);
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** Of objects that are seen in part, only entries about those that are. */
function visibleOf(
  { resource, byDefault, exceptions }: PartlySeen,
  { projectId, userId }: Pick<ProjectLog, 'projectId' | 'userId'>,
): string {
  const ids = exceptions.map((id) => quoteText(String(Math.trunc(id)))).join(', ');
  const isSeen = ids === '' ? String(byDefault) : `item_id ${byDefault ? 'NOT IN' : 'IN'} (${ids})`;
  const objects = objectsOf(resource);
  const isOwn =
    objects === null
      ? 'false'
      : `item_id IN (SELECT id::VARCHAR FROM (${objects}) WHERE project_id = ${Math.trunc(projectId)} AND created_by = ${Math.trunc(userId)})`;
  return `(scope <> ${quoteText(resource.activity)} OR ${isSeen} OR ${isOwn})`;
}

/** The objects with a history of their own, as rows of `id`, `created_by` and `project_id`. */
function objectsOf({ table, history }: Resource): string | null {
  if (table === undefined || history === undefined) return null;
  return selectObjects(table, { where: [history.ofDeleted ? undefined : table.isLive] });
}

/** The object of a project, or null. */
export async function findObject(
  db: Statements,
  resource: Resource,
  projectId: number,
  id: string,
): Promise<{ id: string; createdBy: number | null } | null> {
  const objects = objectsOf(resource);
  if (objects === null) return null;
  return db.first<{ id: string; createdBy: number | null }>(
    `SELECT id::VARCHAR AS id, created_by AS "createdBy" FROM (${objects})
     WHERE project_id = $projectId AND id::VARCHAR = $id`,
    { projectId, id },
  );
}

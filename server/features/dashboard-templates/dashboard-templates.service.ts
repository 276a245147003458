import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { jsonText } from '../../lib/json-text.ts';
import { activityOfUpdate, changesBetween, recordActivity } from '../activity-log/index.ts';
import { BUILT_IN_TEMPLATES, builtInJson } from './built-in-templates.ts';
import type {
  DashboardTemplateJson,
  ListTemplatesQuery,
  WriteTemplateBody,
} from './dashboard-templates.contract.ts';
import {
  findTemplateById,
  findTemplateByName,
  insertTemplate,
  listTemplates,
  updateTemplate,
  type TemplateFields,
  type TemplateRow,
} from './dashboard-templates.store.ts';
import { readTemplate, type Template } from './read-template.ts';
import { templateJson } from './template-json.ts';
import { dashboardTemplateResource } from './dashboard-templates.resource.ts';

export interface DashboardTemplates {
  /** By the key of a built-in one or the name of a stored one. Throws invalid_input when the stored one is no template. */
  findTemplate(projectId: number, key: string): Promise<Template | null>;
  /** Those of the program and those that people have stored, by name. */
  list(projectId: number, query: ListTemplatesQuery): Promise<DashboardTemplateJson[]>;
  /** Throws not_found, also for a deleted one unless `which` is `any`. */
  get(projectId: number, id: string, which?: 'live' | 'any'): Promise<DashboardTemplateJson>;
  /** Throws invalid_input for a template without tiles. */
  create(actor: Actor, projectId: number, body: WriteTemplateBody): Promise<DashboardTemplateJson>;
  /** Throws not_found for a deleted one that is not to be restored, and refuses changes of one that is not the project's. */
  update(
    actor: Actor,
    projectId: number,
    id: string,
    body: WriteTemplateBody,
  ): Promise<DashboardTemplateJson>;
}

const EMPTY: Omit<TemplateFields, 'name'> = {
  description: '',
  filters: '{}',
  tags: '[]',
  tiles: '[]',
  variables: null,
  deleted: false,
  imageUrl: null,
  scope: 'team',
};

export function createDashboardTemplates({
  db,
  clock,
  newId,
}: {
  db: Db;
  clock: Clock;
  newId: NewId;
}): DashboardTemplates {
  const entry = (actor: Actor, { id, projectId, name }: TemplateRow) => ({
    id: newId(),
    now: clock(),
    organizationId: actor.organizationId,
    projectId,
    userId: actor.user.id,
    scope: dashboardTemplateResource.activity,
    itemId: id,
    name,
  });

  return {
    async findTemplate(projectId, key) {
      const builtIn = BUILT_IN_TEMPLATES.find((template) => template.key === key);
      if (builtIn !== undefined) return readTemplate(builtIn);
      const row = await findTemplateByName(db, projectId, key);
      return row === null ? null : readTemplate(templateJson(row));
    },
    async list(projectId, query) {
      const rows = await listTemplates(db, projectId);
      return [...BUILT_IN_TEMPLATES.map(builtInJson), ...rows.map(templateJson)]
        .filter((template) => isWanted(template, projectId, query))
        .toSorted((a, b) => compareText(a.template_name, b.template_name) || compareText(a.id, b.id));
    },
    async get(projectId, id, which = 'live') {
      const builtIn = BUILT_IN_TEMPLATES.find((template) => template.id === id);
      if (builtIn !== undefined) return builtInJson(builtIn);
      const row = await findTemplateById(db, projectId, id);
      if (row === null || (row.deleted && which === 'live')) throw fail('not_found');
      return templateJson(row);
    },
    create(actor, projectId, body) {
      if (!body.tiles?.length) {
        throw fail('invalid_input', { detail: 'A template needs at least one tile.' });
      }
      const { template_name: name } = body;
      if (name === undefined) throw fail('required', { attr: 'template_name' });
      return db.transaction(async (tx) => {
        const fields = fieldsOf({ name, ...EMPTY }, body);
        const place = { id: newId(), projectId, createdBy: actor.user.id, now: clock() };
        const row = await insertTemplate(tx, { ...fields, ...place });
        await recordActivity(tx, { ...entry(actor, row), activity: 'created' });
        return templateJson(row);
      });
    },
    update(actor, projectId, id, body) {
      if (BUILT_IN_TEMPLATES.some((template) => template.id === id)) throw builtInRefusal(body);
      if (body.tiles?.length === 0)
        throw fail('invalid_input', { detail: 'A template needs at least one tile.' });
      return db.transaction(async (tx) => {
        const before = await findTemplateById(tx, projectId, id);
        if (before === null || (before.deleted && body.deleted !== false)) throw fail('not_found');
        if (before.projectId !== projectId) throw fail('permission_denied', { detail: OF_ANOTHER_PROJECT });
        const after = fieldsOf(before, body);
        const changes = changesBetween(
          dashboardTemplateResource.activity,
          logFieldsOf(before),
          logFieldsOf(after),
        );
        if (changes.length === 0) return templateJson(before);
        const row = await updateTemplate(tx, id, after);
        await recordActivity(tx, { ...entry(actor, row), activity: activityOfUpdate(changes), changes });
        return templateJson(row);
      });
    },
  };
}

const OF_ANOTHER_PROJECT = 'This template belongs to another project and can only be changed there.';

function builtInRefusal({ scope }: WriteTemplateBody): Error {
  return scope !== undefined && scope !== 'global'
    ? fail('invalid_input', { detail: 'A built-in template must remain global.' })
    : fail('permission_denied', { detail: 'Built-in templates cannot be changed.' });
}

function isWanted(
  template: DashboardTemplateJson,
  projectId: number,
  { scope, search }: ListTemplatesQuery,
): boolean {
  const isOwn = template.team_id === projectId;
  const inScope = scope === undefined ? isOwn || template.scope === 'global' : template.scope === scope;
  if (!inScope || search === undefined) return inScope;
  const { template_name: name, dashboard_description: description, tags } = template;
  const wanted = search.trim().toLowerCase();
  return [name, description, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What the body says, and the rest as it was. */
function fieldsOf(old: TemplateFields, body: WriteTemplateBody): TemplateFields {
  const { dashboard_filters: filters, tags, tiles, variables, image_url: imageUrl } = body;
  return {
    name: body.template_name ?? old.name,
    description: body.dashboard_description ?? old.description,
    filters: filters ? jsonText(filters) : old.filters,
    tags: tags ? jsonText(tags) : old.tags,
    tiles: tiles ? jsonText(tiles) : old.tiles,
    variables: variables === undefined ? old.variables : variables === null ? null : jsonText(variables),
    deleted: body.deleted ?? old.deleted,
    imageUrl: imageUrl === undefined ? old.imageUrl : imageUrl,
    scope: body.scope ?? old.scope,
  };
}

/** The fields of a template in the activity log, by the names of the wire. */
function logFieldsOf(fields: TemplateFields): Record<string, unknown> {
  const { name, description, filters, tags, tiles, variables, deleted, imageUrl, scope } = fields;
  return {
    template_name: name,
    dashboard_description: description,
    dashboard_filters: JSON.parse(filters),
    tags: JSON.parse(tags),
    tiles: JSON.parse(tiles),
    variables: variables === null ? null : JSON.parse(variables),
    deleted,
    image_url: imageUrl,
    scope,
  };
}

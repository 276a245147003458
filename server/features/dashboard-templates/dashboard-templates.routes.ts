import { z } from 'zod';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOfAll } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Access } from '../access/index.ts';
import {
  templateBody,
  type DashboardTemplateJson,
  dashboardTemplatesApi,
} from './dashboard-templates.contract.ts';
import type { DashboardTemplates } from './dashboard-templates.service.ts';

const route = routesOf(dashboardTemplatesApi);

/** The schema of templates, as programs that write them check it (management contract 3.8, 6). */
const TEMPLATE_SCHEMA = z.toJSONSchema(templateBody, { io: 'input' });

interface PathContext {
  params: { id: string };
  project: { id: number };
  actor: Actor;
}

export function dashboardTemplateRoutes({
  templates,
  access,
}: {
  templates: DashboardTemplates;
  access: Access;
}): ManagementRoute[] {
  const read = { auth: 'key', scope: ['dashboard_template:read'], pathObject: 'dashboard_template' } as const;
  const write = {
    auth: 'key',
    scope: ['dashboard_template:write'],
    pathObject: 'dashboard_template',
  } as const;
  const path = 'P/dashboard_templates/:id/';

  const lookup =
    (which: 'live' | 'any', needed: 'viewer' | 'editor') =>
    async ({ params, project, actor }: PathContext): Promise<DashboardTemplateJson> => {
      const template = await templates.get(project.id, params.id, which);
      const object = { id: template.id, createdBy: template.created_by };
      access.check(actor, project.id, 'dashboard_template', object, needed);
      return template;
    };

  const update = (method: 'PATCH' | 'PUT'): ManagementRoute =>
    route(`${method} P/dashboard_templates/:id/`, {
      ...write,
      summary:
        'Updates, deletes (`deleted: true`) or restores a template of the project; omitted fields are not changed.',
      errors: ['permission_denied'],
      lookup: lookup('any', 'editor'),
      handle: ({ actor, project, params, body }) => templates.update(actor, project.id, params.id, body),
    });

  return [
    route('GET P/dashboard_templates/', {
      ...read,
      summary: 'Lists global dashboard templates and those of this project, by name.',
      handle: async ({ project, query, url }) => pageOfAll(url, await templates.list(project.id, query)),
    }),
    route('POST P/dashboard_templates/', {
      ...write,
      summary: 'Creates a dashboard template.',
      status: 201,
      handle: ({ actor, project, body }) => templates.create(actor, project.id, body),
    }),
    route('GET P/dashboard_templates/json_schema/', {
      ...read,
      summary: 'Retrieves the JSON schema of a template.',
      handle: () => Reply.json(200, TEMPLATE_SCHEMA, { 'Cache-Control': 'max-age=120' }),
    }),
    route('GET P/dashboard_templates/:id/', {
      ...read,
      summary: 'Retrieves a template.',
      lookup: lookup('live', 'viewer'),
      handle: ({ found }) => found,
    }),
    update('PATCH'),
    update('PUT'),
    refusedDelete(path),
  ];
}

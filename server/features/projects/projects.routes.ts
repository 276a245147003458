import { z } from 'zod';
import { fail } from '../../errors.ts';
import { defineRoute, Reply, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import { pageOfAll } from '../../http/paging.ts';
import { projectBasicsOf, projectDetailOf } from './project-json.ts';
import {
  captureSettings,
  captureSettingsBody,
  createProjectBody,
  projectDetail,
  projectPage,
  type ProjectDetail,
} from './projects.contract.ts';
import type { Projects } from './projects.service.ts';

const organizationParams = z.object({ organization_id: z.string() });

/** The caller's organization when the path means it, by id or `@current`. Throws not_found. */
function organizationOf(params: { organization_id: string }, actor: Actor): string {
  const id = params.organization_id.toLowerCase();
  if (id === '@current' || id === actor.organizationId) return actor.organizationId;
  throw fail('not_found');
}

export interface ProjectRouteParts {
  projects: Projects;
  /** The types of groups that a project's events have named. */
  listGroupTypes: (projectId: number) => Promise<ProjectDetail['group_types']>;
}

export function projectRoutes({ projects, listGroupTypes }: ProjectRouteParts): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/projects/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects of your organization.',
      response: projectPage,
      handle: async ({ url, actor }) =>
        pageOfAll(url, (await projects.list(actor.organizationId)).map(projectBasicsOf)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/organizations/:organization_id/projects/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects of an organization.',
      params: organizationParams,
      response: projectPage,
      lookup: ({ params, actor }) => organizationOf(params, actor),
      handle: async ({ url, found }) => pageOfAll(url, (await projects.list(found)).map(projectBasicsOf)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/organizations/:organization_id/projects/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Creates a project with a token of its own.',
      params: organizationParams,
      body: createProjectBody,
      response: projectDetail,
      lookup: ({ params, actor }) => organizationOf(params, actor),
      handle: async ({ found, body }) => {
        const { name = 'Default project', timezone = 'UTC' } = body;
        const project = await projects.create({ organizationId: found, name, timezone });
        return Reply.json(201, projectDetailOf(project, []));
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'P/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Shows a project.',
      response: projectDetail,
      handle: async ({ project }) =>
        projectDetailOf(await projects.get(project.id), await listGroupTypes(project.id)),
    }),
    defineRoute({
      method: 'GET',
      path: 'P/burrow/capture_settings/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Shows whether events of a project are stored.',
      response: captureSettings,
      handle: ({ project }) => ({ inspect_only: projects.find(project.id)!.inspectOnly }),
    }),
    defineRoute({
      method: 'PUT',
      path: 'P/burrow/capture_settings/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Sets whether events of a project are stored, or only answered and shown live.',
      body: captureSettingsBody,
      response: captureSettings,
      handle: async ({ project, body }) => {
        const { inspectOnly } = await projects.setInspectOnly(project.id, body.inspect_only);
        return { inspect_only: inspectOnly };
      },
    }),
  ];
}

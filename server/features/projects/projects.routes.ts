import { z } from 'zod';
import { fail } from '../../errors.ts';
import {
  defineRoute,
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
} from '../../http/define-route.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOfAll } from '../../http/paging.ts';
import { projectBasicsOf, projectDetailOf } from './project-json.ts';
import {
  captureSettings,
  captureSettingsBody,
  projectBody,
  projectDetail,
  projectPage,
  wiped,
  type ProjectDetail,
} from './projects.contract.ts';
import type { Projects } from './projects.service.ts';
import type { Project } from './projects.store.ts';

const organizationParams = z.object({ organization_id: z.string() });
const ADMIN = 8;

export interface ProjectRouteParts {
  projects: Projects;
  /** The types of groups that a project's events have named. */
  listGroupTypes: (projectId: number) => Promise<ProjectDetail['group_types']>;
}

export function projectRoutes(parts: ProjectRouteParts): ManagementRoute[] {
  return [
    ...listRoutes(parts),
    ...detailRoutes(parts, {
      path: 'P/',
      params: z.object({}),
      check: () => undefined,
    }),
    ...detailRoutes(parts, {
      path: '/api/organizations/:organization_id/projects/:project_id/',
      params: z.object({ organization_id: z.string(), project_id: z.string() }),
      check({ params, actor, project }: LookupContext<{ organization_id: string }>) {
        const organizationId = organizationIdOf(params, actor);
        if (parts.projects.find(project.id)?.organizationId !== organizationId) throw fail('not_found');
      },
    }),
    ...captureRoutes(parts),
  ];
}

function listRoutes({ projects }: ProjectRouteParts): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/projects/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects that you can access.',
      response: projectPage,
      handle: async ({ url, actor }) => pageOfAll(url, (await projects.listFor(actor)).map(projectBasicsOf)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/organizations/:organization_id/projects/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects of an organization that you can access.',
      params: organizationParams,
      response: projectPage,
      lookup: ({ params, actor }) => organizationIdOf(params, actor),
      handle: async ({ url, actor }) => pageOfAll(url, (await projects.listFor(actor)).map(projectBasicsOf)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/organizations/:organization_id/projects/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Creates a project with its own API key.',
      params: organizationParams,
      body: projectBody,
      response: projectDetail,
      status: 201,
      errors: ['permission_denied'],
      lookup({ params, actor }) {
        organizationIdOf(params, actor);
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', { detail: 'Only organization admins can create projects.' });
      },
      handle: async ({ actor, body }) => {
        const project = await projects.create(actor, body);
        return Reply.json(201, projectDetailOf(project, [], projects.levelOf(actor, project.id)));
      },
    }),
  ];
}

/** Where a project stands among the paths. */
interface Place {
  path: string;
  params: z.ZodObject;
  check: (context: LookupContext<never>) => void;
}

/** One project, by either kind of path. */
function detailRoutes({ projects, listGroupTypes }: ProjectRouteParts, place: Place): ManagementRoute[] {
  const { path, params } = place;
  const lookup = (context: LookupContext<unknown>) => place.check(context as LookupContext<never>);

  async function json(actor: Actor, project: Project): Promise<ProjectDetail> {
    return projectDetailOf(project, await listGroupTypes(project.id), projects.levelOf(actor, project.id));
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves a project.',
      params,
      response: projectDetail,
      lookup,
      handle: async ({ actor, project }) => json(actor, await projects.get(project.id)),
    }),
    defineRoute({
      method: 'PATCH',
      path,
      auth: 'key',
      scope: ['project:write'],
      summary: 'Updates the name, time zone or settings of a project.',
      params,
      body: projectBody,
      response: projectDetail,
      lookup,
      handle: async ({ actor, project, body }) => json(actor, await projects.update(actor, project.id, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes a project and all of its data.',
      params,
      response: null,
      status: 204,
      errors: ['invalid_input'],
      lookup,
      handle: async ({ actor, project }) => {
        await projects.delete(actor, project.id);
        return Reply.empty(204);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}reset_token/`,
      auth: 'key',
      scope: ['project:write'],
      summary: 'Replaces the API key of a project; the old key stops working immediately.',
      params,
      body: z.object({}),
      response: projectDetail,
      lookup,
      handle: async ({ actor, project }) => json(actor, await projects.resetToken(actor, project.id)),
    }),
  ];
}

function captureRoutes({ projects }: ProjectRouteParts): ManagementRoute[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: 'P/burrow/events/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes all events, persons and groups of a project; other objects are kept.',
      response: wiped,
      handle: ({ actor, project }) => projects.wipe(actor, project.id),
    }),
    defineRoute({
      method: 'GET',
      path: 'P/burrow/capture_settings/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves whether events of a project are stored.',
      response: captureSettings,
      handle: ({ project }) => ({ inspect_only: projects.find(project.id)!.inspectOnly }),
    }),
    defineRoute({
      method: 'PUT',
      path: 'P/burrow/capture_settings/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Sets whether events of a project are stored, or only shown live.',
      body: captureSettingsBody,
      response: captureSettings,
      handle: async ({ actor, project, body }) => {
        const { inspectOnly } = await projects.setInspectOnly(actor, project.id, body.inspect_only);
        return { inspect_only: inspectOnly };
      },
    }),
  ];
}

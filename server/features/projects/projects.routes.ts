import { fail } from '../../errors.ts';
import {
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
  routesOf,
} from '../../http/define-route.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOfAll } from '../../http/paging.ts';
import { projectBasicsOf, projectDetailOf } from './project-json.ts';
import { type ProjectDetail, projectsApi } from './projects.contract.ts';
import type { Projects } from './projects.service.ts';
import type { Project } from './projects.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(projectsApi);

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
      check: () => undefined,
    }),
    ...detailRoutes(parts, {
      path: '/api/organizations/:organization_id/projects/:project_id/',
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
    route('GET /api/projects/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects that you can access.',
      handle: async ({ url, actor }) => pageOfAll(url, (await projects.listFor(actor)).map(projectBasicsOf)),
    }),
    route('GET /api/organizations/:organization_id/projects/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects of an organization that you can access.',
      lookup: ({ params, actor }) => organizationIdOf(params, actor),
      handle: async ({ url, actor }) => pageOfAll(url, (await projects.listFor(actor)).map(projectBasicsOf)),
    }),
    route('POST /api/organizations/:organization_id/projects/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Creates a project with its own API key.',
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

/** A path of one project, with its permission check. */
interface Place {
  path: 'P/' | '/api/organizations/:organization_id/projects/:project_id/';
  check: (context: LookupContext<never>) => void;
}

/** One project, by either kind of path. */
function detailRoutes({ projects, listGroupTypes }: ProjectRouteParts, place: Place): ManagementRoute[] {
  const { path } = place;
  const lookup = (context: LookupContext<unknown>) => place.check(context as LookupContext<never>);

  async function json(actor: Actor, project: Project): Promise<ProjectDetail> {
    return projectDetailOf(project, await listGroupTypes(project.id), projects.levelOf(actor, project.id));
  }

  return [
    route(`GET ${path}`, {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves a project.',
      lookup,
      handle: async ({ actor, project }) => json(actor, await projects.get(project.id)),
    }),
    route(`PATCH ${path}`, {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Updates the name, time zone or settings of a project.',
      lookup,
      handle: async ({ actor, project, body }) => json(actor, await projects.update(actor, project.id, body)),
    }),
    route(`DELETE ${path}`, {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes a project and all of its data.',
      status: 204,
      errors: ['invalid_input'],
      lookup,
      handle: async ({ actor, project }) => {
        await projects.delete(actor, project.id);
        return Reply.empty(204);
      },
    }),
    route(`PATCH ${path}reset_token/`, {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Replaces the API key of a project; the old key stops working immediately.',
      lookup,
      handle: async ({ actor, project }) => json(actor, await projects.resetToken(actor, project.id)),
    }),
  ];
}

function captureRoutes({ projects }: ProjectRouteParts): ManagementRoute[] {
  return [
    route('DELETE P/burrow/events/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes all events, persons and groups of a project; other objects are kept.',
      handle: ({ actor, project }) => projects.wipe(actor, project.id),
    }),
    route('GET P/burrow/capture_settings/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves whether events of a project are stored.',
      handle: ({ project }) => ({ inspect_only: projects.find(project.id)!.inspectOnly }),
    }),
    route('PUT P/burrow/capture_settings/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Sets whether events of a project are stored, or only shown live.',
      handle: async ({ actor, project, body }) => {
        const { inspectOnly } = await projects.setInspectOnly(actor, project.id, body.inspect_only);
        return { inspect_only: inspectOnly };
      },
    }),
  ];
}

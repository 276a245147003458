import {
  defineRoute,
  Reply,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import type { Resource } from '../../http/define-resource.ts';
import { fail } from '../../errors.ts';
import { ACCESS_LEVELS, grantableLevels, PROJECT_LEVELS, ruleResources } from '../access/index.ts';
import { accessControlOf, accessControlsOf } from './access-control-json.ts';
import {
  accessControl,
  management,
  managementBody,
  putResourceRuleBody,
  putRuleBody,
  accessControlsApi,
} from './access-controls.contract.ts';
import type { Accessed, AccessControlsService } from './access-controls.service.ts';
import type { AccessedKind } from './access-kinds.ts';

const route = routesOf(accessControlsApi);

const WRITE = {
  auth: 'key',
  scope: ['access_control:write'],
  errors: ['permission_denied', 'invalid_choice', 'does_not_exist'],
} as const;
const READ = { auth: 'key', scope: ['access_control:read'] } as const;

/** The project as an object that rules are about: who may enter it, and who is its admin (management contract 2.9). */
function accessedProject({ id, name }: ProjectRef): Accessed {
  return { projectId: id, resource: 'project', object: { id, name, createdBy: null } };
}

/** Rules of a project as a whole and of its resources, and which tool keeps them (management contract 5.1). */
export function projectAccessRoutes(
  service: AccessControlsService,
  kinds: readonly AccessedKind[],
  resources: readonly Resource[],
): ManagementRoute[] {
  const nouns = ruleResources(resources);
  const checkIsAdmin = ({ actor, project }: { actor: Actor; project: ProjectRef }) =>
    service.checkCanEdit(actor, accessedProject(project));

  /** What a body without a path of its own names, once the caller is known to be allowed to change its rules. */
  async function findAccessed(actor: Actor, project: ProjectRef, resource: string, id: string | null) {
    if (id === null || resource === 'project') {
      if (id !== null && id !== String(project.id)) throw fail('not_found');
      checkIsAdmin({ actor, project });
      const whole: Accessed = { projectId: project.id, resource, object: null };
      return id === null ? whole : accessedProject(project);
    }
    const kind = kinds.find((one) => one.resource === resource);
    if (kind === undefined) throw fail('not_found');
    const accessed = { projectId: project.id, resource, object: await kind.find(actor, project, id) };
    service.checkCanEdit(actor, accessed);
    return accessed;
  }

  return [
    route('GET P/access_controls/', {
      ...READ,
      summary: 'Retrieves the access controls of the project and its admins.',
      handle: ({ actor, project }) => {
        const accessed = accessedProject(project);
        return accessControlsOf(
          service.rules(accessed),
          service.levelsOf('project'),
          service.standing(actor, accessed),
        );
      },
    }),
    defineRoute({
      ...WRITE,
      method: 'PUT',
      path: 'P/access_controls/',
      summary:
        'Sets the project access of a member, or of everyone: admin, member or none; null removes the rule (204).',
      body: putRuleBody(grantableLevels(service.levelsOf('project'))),
      response: accessControl.optional(),
      lookup: checkIsAdmin,
      handle: async ({ actor, project, body }) => {
        const rule = await service.put(actor, accessedProject(project), body);
        return rule === null ? Reply.empty(204) : accessControlOf(rule);
      },
    }),
    route('GET P/resource_access_controls/', {
      ...READ,
      summary: 'Retrieves the access controls for resource types of the project, such as all dashboards.',
      handle: ({ actor, project }) => ({
        ...accessControlsOf(service.wideRules(project.id), service.levelsOf('dashboard'), {
          ...service.standing(actor, accessedProject(project)),
        }),
      }),
    }),
    defineRoute({
      ...WRITE,
      method: 'PUT',
      path: 'P/resource_access_controls/',
      summary:
        'Sets the access level of a member, or of everyone, for a resource type; a level of null removes the rule (204).',
      body: putResourceRuleBody(nouns, [...new Set([...ACCESS_LEVELS, ...PROJECT_LEVELS])]),
      response: accessControl.optional(),
      lookup: checkIsAdmin,
      handle: async ({ actor, project, body }) => {
        const accessed = { projectId: project.id, resource: body.resource, object: null };
        const rule = await service.put(actor, accessed, body);
        return rule === null ? Reply.empty(204) : accessControlOf(rule);
      },
    }),
    defineRoute({
      ...WRITE,
      method: 'PUT',
      path: 'P/access_control_management/',
      summary: 'Sets which tool manages a rule, so that it is changed there; null: none.',
      body: managementBody(nouns),
      response: management,
      handle: async ({ actor, project, body }) => {
        const accessed = await findAccessed(actor, project, body.resource, body.resource_id ?? null);
        const target = service.targetOf(actor, accessed, body);
        const managedAt = await service.manage(actor, target, body.managed_by);
        return { managed_by: body.managed_by, managed_at: managedAt };
      },
    }),
  ];
}

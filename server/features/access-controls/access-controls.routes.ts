import { z } from 'zod';
import type { AccessedObject, Resource } from '../../http/define-resource.ts';
import {
  defineRoute,
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
  type ProjectRef,
} from '../../http/define-route.ts';
import { grantableLevels } from '../access/index.ts';
import { accessControlOf, accessControlsOf, usersWithAccessOf } from './access-control-json.ts';
import {
  accessControl,
  putRuleBody,
  usersWithAccess,
  type AccessControls,
} from './access-controls.contract.ts';
import type { Accessed, AccessControlsService } from './access-controls.service.ts';
import type { AccessedKind } from './access-kinds.ts';
import { projectAccessRoutes } from './project-access-routes.ts';

interface Found {
  accessed: Accessed;
  object: AccessedObject;
}

const params = z.object({ id: z.string() });

/** The paths of the rules: of each kind of objects under its segment, singular and plural, and of the project. */
export function accessControlRoutes(
  service: AccessControlsService,
  kinds: readonly AccessedKind[],
  resources: readonly Resource[],
): ManagementRoute[] {
  const ofObjects = kinds.flatMap((kind) =>
    [kind.resource, `${kind.resource}s`].flatMap((segment) => objectRoutes(kind, segment, service)),
  );
  return [...ofObjects, ...projectAccessRoutes(service, kinds, resources)];
}

function objectRoutes(
  kind: AccessedKind,
  segment: string,
  service: AccessControlsService,
): ManagementRoute[] {
  const { resource, find, response, whole } = kind;
  const levels = service.levelsOf(resource);
  const path = `P/${segment}/:id` as const;
  const thing = resource.replaceAll('_', ' ');
  const lookup = async (context: LookupContext<z.output<typeof params>>): Promise<Found> => {
    const object = await find(context.actor, context.project, context.params.id);
    return { object, accessed: { projectId: context.project.id, resource, object } };
  };
  const read = async (actor: Actor, project: ProjectRef, { object, accessed }: Found, isWide: boolean) => {
    const rules = service.rules(isWide ? { ...accessed, object: null } : accessed);
    const shown: AccessControls = accessControlsOf(rules, levels, service.standing(actor, accessed));
    return { ...(await whole?.read(actor, project, object.id)), ...shown };
  };
  const reading = {
    method: 'GET',
    auth: 'key',
    scope: ['access_control:read', `${resource}:read`],
    params,
    lookup,
  } as const;
  return [
    defineRoute({
      ...reading,
      path: `${path}/access_controls/`,
      summary: `Retrieves the access controls of this ${thing}.`,
      response,
      handle: ({ actor, project, found }) => read(actor, project, found, false),
    }),
    defineRoute({
      ...reading,
      path: `${path}/global_access_controls/`,
      summary: `Retrieves the access controls for every ${thing} of the project.`,
      response,
      handle: ({ actor, project, found }) => read(actor, project, found, true),
    }),
    defineRoute({
      method: 'PUT',
      auth: 'key',
      scope: ['access_control:write'],
      params,
      path: `${path}/access_controls/`,
      summary: `Sets the access level of a member, or of everyone, for this ${thing}; a level of null removes the rule (204).`,
      body: putRuleBody(grantableLevels(levels)),
      response: accessControl.optional(),
      errors: ['permission_denied', 'invalid_choice', 'does_not_exist'],
      lookup: async (context) => {
        const found = await lookup(context);
        service.checkCanEdit(context.actor, found.accessed);
        return found;
      },
      handle: async ({ actor, found, body }) => {
        const rule = await service.put(actor, found.accessed, body);
        return rule === null ? Reply.empty(204) : accessControlOf(rule);
      },
    }),
    defineRoute({
      ...reading,
      path: `${path}/users_with_access/`,
      summary: `Lists the members with access to this ${thing}, and why.`,
      response: usersWithAccess,
      handle: ({ actor, found }) => usersWithAccessOf(service.reaching(actor, found.accessed)),
    }),
  ];
}

import type { z } from 'zod';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOfAll } from '../../http/paging.ts';
import { memberJson, type Member } from './member-json.ts';
import type { memberParams } from './members.contract.ts';
import { isNewestFirst, membersApi } from './members.contract.ts';
import { checkRank, type Members } from './members.service.ts';

const route = routesOf(membersApi);

export function memberRoutes({ members }: { members: Members }): ManagementRoute[] {
  function find(params: z.output<typeof memberParams>, actor: Actor): Member {
    organizationIdOf(params, actor);
    return members.find(actor, params.user__uuid);
  }

  return [
    route('GET /api/organizations/:organization_id/members/', {
      auth: 'key',
      scope: ['organization_member:read'],
      summary: 'Lists the members of an organization, most recently joined first.',
      lookup: ({ params, actor }) => organizationIdOf(params, actor),
      handle({ found, query, url }) {
        const all = members.list(found);
        return pageOfAll(url, (isNewestFirst(query.order) ? all.toReversed() : all).map(memberJson));
      },
    }),
    route('POST /api/organizations/:organization_id/members/', {
      auth: 'key',
      scope: ['organization_member:write'],
      summary: 'Adds a member to the organization, with a personal API key that is shown once.',
      status: 201,
      errors: ['permission_denied', 'unique'],
      lookup({ params, actor }) {
        organizationIdOf(params, actor);
        members.checkAdmin(actor);
      },
      async handle({ actor, body }) {
        const { member: added, secret } = await members.add(actor, body);
        return { ...memberJson(added), personal_api_key: secret };
      },
    }),
    route('GET /api/organizations/:organization_id/members/:user__uuid/', {
      auth: 'key',
      scope: ['organization_member:read'],
      summary: 'Retrieves a member of an organization.',
      lookup: ({ params, actor }) => find(params, actor),
      handle: ({ found }) => memberJson(found),
    }),
    route('PATCH /api/organizations/:organization_id/members/:user__uuid/', {
      auth: 'key',
      scope: ['organization_member:write'],
      summary: 'Changes the level of a member.',
      errors: ['permission_denied'],
      lookup({ params, actor }) {
        const found = find(params, actor);
        members.checkAdmin(actor);
        checkRank(actor, found);
        return found;
      },
      handle: async ({ found, actor, body }) => memberJson(await members.setLevel(actor, found, body.level)),
    }),
    route('DELETE /api/organizations/:organization_id/members/:user__uuid/', {
      auth: 'key',
      scope: ['organization_member:write'],
      summary: 'Removes a member, or yourself, from the organization; API keys and sessions end immediately.',
      status: 204,
      errors: ['permission_denied', 'invalid_input'],
      lookup({ params, actor }) {
        const found = find(params, actor);
        if (found.user.id === actor.user.id) return found;
        members.checkAdmin(actor);
        checkRank(actor, found);
        return found;
      },
      async handle({ found, actor }) {
        await members.remove(actor, found);
        return Reply.empty(204);
      },
    }),
  ];
}

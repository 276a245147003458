import type { Feature } from '../../http/define-route.ts';
import { memberRoutes } from './members.routes.ts';
import { createMembers, type Members, type MembersDependencies } from './members.service.ts';

export { type Members } from './members.service.ts';

export function membersFeature(needs: MembersDependencies): Feature & { members: Members } {
  const members = createMembers(needs);
  return { name: 'members', members, routes: memberRoutes({ members }) };
}

import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { Notice, Notices } from '../../lib/notices.ts';
import { type NoticeJson, noticesApi } from './notices.contract.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(noticesApi);

export function noticeRoutes({ notices }: { notices: Notices }): ManagementRoute[] {
  return [
    route('GET /api/burrow/notices/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists server notices, such as a full disk or a damaged log, errors first.',
      handle: () => ({ results: notices.list().map(jsonOf) }),
    }),
    route('DELETE /api/burrow/notices/:notice_id/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Dismisses a notice, if it is dismissible. Other notices end with their cause.',
      errors: ['permission_denied', 'not_found'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', {
            detail: 'Only admins can dismiss a notice, because all users see it.',
          });
      },
      handle({ params }) {
        if (!notices.dismiss(params.notice_id)) throw fail('not_found');
      },
    }),
  ];
}

function jsonOf({ refusesEvents, since, ...notice }: Notice): NoticeJson {
  return { ...notice, refuses_events: refusesEvents, since: new Date(since).toISOString() };
}

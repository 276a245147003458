import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import type { Notice, Notices } from '../../lib/notices.ts';
import { noticeList, noticeParams, type NoticeJson } from './notices.contract.ts';

const ADMIN = 8;

export function noticeRoutes({ notices }: { notices: Notices }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/burrow/notices/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists server notices, such as a full disk or a damaged log, errors first.',
      response: noticeList,
      handle: () => ({ results: notices.list().map(jsonOf) }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/burrow/notices/:notice_id/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Dismisses a notice, if it is dismissible. Other notices end with their cause.',
      params: noticeParams,
      response: null,
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

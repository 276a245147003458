import { expect, test } from 'vitest';
import type { NewNotice } from '../../lib/notices.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { addMember } from '../../../test/support/members.ts';

const LOG_DAMAGED: NewNotice = {
  id: 'log_damaged',
  level: 'warning',
  title: 'The log was damaged',
  text: 'Its end was dropped.',
  page: 'backups',
  refusesEvents: false,
  dismissible: true,
};

test('notices are listed until an admin dismisses them', async () => {
  const { ask, notices } = await openTestApp();
  notices.raise(LOG_DAMAGED);
  expect((await ask('/api/burrow/notices/')).json).toEqual({
    results: [
      {
        id: 'log_damaged',
        level: 'warning',
        title: 'The log was damaged',
        text: 'Its end was dropped.',
        page: 'backups',
        refuses_events: false,
        dismissible: true,
        since: '2026-11-20T09:30:00.000Z',
      },
    ],
  });
  expect((await ask('/api/burrow/notices/log_damaged/', { method: 'DELETE' })).status).toBe(204);
  expect((await ask('/api/burrow/notices/')).json).toEqual({ results: [] });
  expect((await ask('/api/burrow/notices/log_damaged/', { method: 'DELETE' })).status).toBe(404);
});

test('a member sees notices and cannot dismiss them', async () => {
  const app = await openTestApp();
  app.notices.raise(LOG_DAMAGED);
  const member = await addMember(app, 'ann@example.com');
  expect((await member.ask('/api/burrow/notices/')).json.results).toHaveLength(1);
  expect((await member.ask('/api/burrow/notices/log_damaged/', { method: 'DELETE' })).status).toBe(403);
});

test('readiness is 503 with the title of a notice that refuses events', async () => {
  const { ask, notices } = await openTestApp();
  notices.raise({ ...LOG_DAMAGED, id: 'disk_full', title: 'The disk is full', refusesEvents: true });
  const answer = await ask('/_readiness', { key: null });
  expect([answer.status, answer.json]).toEqual([503, { status: 'unavailable', reason: 'The disk is full' }]);
});

import { expect, test } from 'vitest';
import { createFlag, filtersOn, filtersOnFlag, storeFilters } from '../../../test/support/app-flags.ts';
import { addMember } from '../../../test/support/members.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const PATH = '/api/projects/1/burrow/feature_flags/notes/';
const DAY = 24 * 60 * 60 * 1000;

/** The notes of all flags, by key. */
async function notesOf(app: TestApp, key = app.key): Promise<Record<string, any>> {
  const { results } = (await app.ask(PATH, { key })).json;
  return Object.fromEntries(results.map((note: any) => [note.key, note]));
}

const person = (key: string, value: unknown, operator = 'exact') => ({
  key,
  value,
  operator,
  type: 'person',
});

test('each flag has notes on its SDK settings, its problems, and its number of overrides', async () => {
  const app = await openTestApp();
  const plain = await createFlag(app, 'plain', { filters: filtersOn([person('plan', 'pro')]) });
  await createFlag(app, 'sticky', { ensure_experience_continuity: true });
  await createFlag(app, 'behind', { filters: filtersOnFlag(plain.id) });
  for (const distinct_id of ['ada', null]) {
    const body = { key: 'plain', distinct_id, value: true };
    await app.ask('/api/projects/1/burrow/flag_overrides/', { method: 'POST', body });
  }
  expect(await notesOf(app)).toMatchObject({
    plain: {
      id: plain.id,
      local_evaluation: { works: true, reason: null, properties: ['plan'] },
      error: null,
      is_stale: false,
      overrides: 2,
    },
    sticky: {
      local_evaluation: { works: false, reason: expect.stringContaining('experience continuity') },
      overrides: 0,
    },
    behind: { local_evaluation: { works: true, reason: null, properties: ['plan'] } },
  });
});

test('a flag that can never be evaluated has the error', async () => {
  const app = await openTestApp();
  const flag = await createFlag(app, 'broken');
  const groups = [{ properties: [{ key: 'id', type: 'cohort', value: 99 }], rollout_percentage: 100 }];
  await storeFilters(app, flag.id, { groups });
  const { broken } = await notesOf(app);
  expect(broken.error).toMatch(/99/);
  expect(broken.local_evaluation.works).toBe(false);
});

test('a flag that was not called for 30 days is stale, until it is called', async () => {
  const app = await openTestApp();
  await createFlag(app, 'old', { filters: filtersOn([person('plan', 'pro')]) });
  app.clock.now += 31 * DAY;
  expect((await notesOf(app))['old'].is_stale).toBe(true);
  await sendEvents(app, [{ event: '$feature_flag_called', properties: { $feature_flag: 'old' } }]);
  await app.store.service('capture').call({ kind: 'flag_calls.save' });
  expect((await notesOf(app))['old'].is_stale).toBe(false);
  const flags = (await app.ask('/api/projects/1/feature_flags/')).json.results;
  expect(flags[0]).toMatchObject({ status: 'ACTIVE', last_called_at: '2026-12-21T09:30:00.000000Z' });
});

test('flags hidden from a member are left out', async () => {
  const app = await openTestApp();
  const lin = await addMember(app, 'lin@local.test');
  const hidden = await createFlag(app, 'hidden');
  await createFlag(app, 'open');
  const rule = { organization_member: lin.membershipId, access_level: 'none' };
  await app.ask(`/api/projects/1/feature_flags/${hidden.id}/access_controls/`, { method: 'PUT', body: rule });
  expect(Object.keys(await notesOf(app, lin.key))).toEqual(['open']);
});

test('a condition on persons in a flag on groups is not evaluated locally', async () => {
  const app = await openTestApp();
  const batch = [{ event: 'e', distinct_id: 'ada', properties: { $groups: { company: 'acme' } } }];
  await sendEvents(app, batch);
  await createFlag(app, 'mixed', {
    filters: {
      groups: [{ properties: [person('plan', 'pro')], aggregation_group_type_index: null }],
      aggregation_group_type_index: 0,
    },
  });
  const { mixed } = await notesOf(app);
  expect(mixed.local_evaluation).toMatchObject({
    works: false,
    reason: expect.stringContaining('uses person properties'),
  });
});

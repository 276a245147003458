import { describe, expect, test } from 'vitest';
import { FLAGS, createFlag, filtersOn } from '../../../test/support/app-flags.ts';
import {
  changeSurvey,
  createSurvey,
  errorOf,
  liveFlagKeys,
  NOW,
  OPEN,
  postSurvey,
  shownSurveys,
  SURVEYS,
} from '../../../test/support/app-surveys.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import type { SurveyJson } from './surveys.contract.ts';

const PRO = filtersOn([{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }]);

describe('flags of a survey', () => {
  test('are on while it runs', async () => {
    const app = await openTestApp();
    const { id, internal_targeting_flag: made } = await createSurvey(app, { targeting_flag_filters: PRO });
    const activity = (one: SurveyJson) => [one.targeting_flag!.active, one.internal_targeting_flag!.active];
    expect(made!.active).toBe(false);
    expect(activity(await changeSurvey(app, id, { start_date: NOW }))).toEqual([true, true]);
    expect(activity(await changeSurvey(app, id, { archived: true }))).toEqual([false, false]);
    expect(activity(await changeSurvey(app, id, { archived: false }))).toEqual([true, true]);
    expect(activity(await changeSurvey(app, id, { end_date: NOW }))).toEqual([false, false]);
    expect(activity(await changeSurvey(app, id, { end_date: null }))).toEqual([true, true]);
  });

  test('exclude persons who have answered or dismissed it, for each iteration', async () => {
    const app = await openTestApp();
    const { id, internal_targeting_flag: flag } = await createSurvey(app, { start_date: NOW });
    const keysOf = (filters: any) => filters.groups[0].properties.map(({ key }: { key: string }) => key);
    expect(keysOf(flag!.filters)).toEqual([`$survey_dismissed/${id}`, `$survey_responded/${id}`]);
    const again = await changeSurvey(app, id, { iteration_count: 3, iteration_frequency_days: 30 });
    expect(keysOf(again.internal_targeting_flag!.filters)).toEqual([
      `$survey_dismissed/${id}/1`,
      `$survey_responded/${id}/1`,
    ]);
    expect(again).toMatchObject({
      iteration_start_dates: [NOW, '2026-12-20T09:30:00.000000Z', '2027-01-19T09:30:00.000000Z'],
      current_iteration: 1,
      current_iteration_start_date: NOW,
    });
  });

  test('follow its targeting: created, changed, and deleted', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app, { start_date: NOW });
    const first = await changeSurvey(app, id, { targeting_flag_filters: PRO });
    expect(first.targeting_flag).toMatchObject({ key: `survey-targeting-${id}`, filters: PRO, active: true });
    const free = filtersOn([{ key: 'plan', type: 'person', operator: 'exact', value: 'free' }], 50);
    const second = await changeSurvey(app, id, { targeting_flag_filters: free });
    expect(second.targeting_flag).toMatchObject({ id: first.targeting_flag!.id, filters: free, version: 2 });
    expect((await changeSurvey(app, id, { targeting_flag_filters: null })).targeting_flag).not.toBeNull();
    expect((await changeSurvey(app, id, { remove_targeting_flag: true })).targeting_flag).toBeNull();
    expect(await liveFlagKeys(app)).toEqual([`survey-targeting-${id}-custom`]);
    expect((await changeSurvey(app, id, { targeting_flag_filters: PRO })).targeting_flag!.deleted).toBe(
      false,
    );
  });

  test('keep edits of the internal one', async () => {
    const app = await openTestApp();
    const { id, internal_targeting_flag: flag } = await createSurvey(app);
    const own = filtersOn([{ key: 'beta', type: 'person', operator: 'exact', value: 'true' }]);
    await app.ask(`${FLAGS}${flag!.id}/`, { method: 'PATCH', body: { filters: own } });
    const after = await changeSurvey(app, id, { start_date: NOW, name: 'Other' });
    expect(after.internal_targeting_flag).toMatchObject({ filters: own, active: true });
  });

  test('hide it once they are deleted, and new targeting creates them again', async () => {
    const app = await openTestApp();
    const made = await createSurvey(app, { start_date: NOW, targeting_flag_filters: PRO });
    const deleted = { method: 'PATCH', body: { deleted: true } };
    await app.ask(`${FLAGS}${made.targeting_flag!.id}/`, deleted);
    const renamed = await changeSurvey(app, made.id, { name: 'Other' });
    expect(renamed.targeting_flag).toMatchObject({ id: made.targeting_flag!.id, deleted: true });
    expect(await shownSurveys(app)).toMatchObject([{ targeting_flag_key: made.targeting_flag!.key }]);
    const again = await changeSurvey(app, made.id, { targeting_flag_filters: PRO });
    expect(again.targeting_flag).toMatchObject({ key: made.targeting_flag!.key, deleted: false });
  });

  test('hide it too when a linked one is deleted permanently', async () => {
    const app = await openTestApp();
    const flag = await createFlag(app, 'checkout');
    await createSurvey(app, { start_date: NOW, linked_flag_id: flag.id });
    await app.ask(`${FLAGS}${flag.id}/`, { method: 'PATCH', body: { deleted: true } });
    expect(await shownSurveys(app)).toMatchObject([{ linked_flag_key: 'checkout' }]);
    await createFlag(app, 'checkout');
    await expect.poll(() => shownSurveys(app)).toEqual([]);
  });

  test('used by other flags cannot be deleted, and neither can it', async () => {
    const app = await openTestApp();
    const made = await createSurvey(app, { start_date: NOW, targeting_flag_filters: PRO });
    const property = {
      key: String(made.targeting_flag!.id),
      type: 'flag',
      operator: 'flag_evaluates_to',
      value: true,
    };
    await createFlag(app, 'dependent', { filters: filtersOn([property]) });
    const answer = await app.ask(`${SURVEYS}${made.id}/`, { method: 'DELETE' });
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_input', attr: null });
    expect((await app.ask(`${SURVEYS}${made.id}/`)).json).toEqual(made);
  });

  test('list it, and a linked one is returned with it', async () => {
    const app = await openTestApp();
    const flag = await createFlag(app, 'checkout');
    const made = await createSurvey(app, { linked_flag_id: flag.id });
    expect(made).toMatchObject({ linked_flag_id: flag.id, linked_flag: { key: 'checkout' } });
    expect((await app.ask(`${FLAGS}${flag.id}/`)).json.surveys).toMatchObject([{ id: made.id }]);
    expect((await changeSurvey(app, made.id, { linked_flag_id: null })).linked_flag).toBeNull();
  });
});

test('a user cannot link a flag that is hidden from them', async () => {
  const app = await openTestApp();
  const flag = await createFlag(app, 'secret');
  const member = await addMember(app, 'mia@shop.example');
  const rule = { access_level: 'none', resource: 'feature_flag' };
  await app.ask('/api/projects/1/resource_access_controls/', { method: 'PUT', body: rule });
  const linked = { name: 'B', type: 'api', questions: [OPEN], linked_flag_id: flag.id };
  expect(errorOf(await member.ask(SURVEYS, { method: 'POST', body: linked }))).toMatchObject({
    status: 403,
    code: 'permission_denied',
  });
  expect((await postSurvey(app, linked)).status).toBe(201);
});

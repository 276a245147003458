import { describe, expect, test } from 'vitest';
import { FLAGS, createFlag, filtersOn } from '../../../test/support/app-flags.ts';
import {
  changeSurvey,
  createSurvey,
  NOW,
  OPEN,
  shownSurveys,
  SURVEYS,
} from '../../../test/support/app-surveys.ts';
import { addMember, removeMember } from '../../../test/support/members.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import type { FlagFilters } from '../../conditions/index.ts';
import { survey } from './surveys.contract.ts';

const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';
const PRO = filtersOn([{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }]);

describe('10.5 surveys for pages', () => {
  test('only those that have started, have not ended and are not archived, at the current time', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app);
    expect(await shownSurveys(app)).toEqual([]);
    await changeSurvey(app, id, { start_date: '2026-11-20T09:31:00Z', end_date: '2026-11-20T09:33:00Z' });
    const at = async (minute: number) => {
      app.clock.now = Date.UTC(2026, 10, 20, 9, minute);
      return (await shownSurveys(app)).map((one) => one.id);
    };
    expect([await at(30), await at(31), await at(32), await at(33)]).toEqual([[], [id], [id], []]);
    await changeSurvey(app, id, { end_date: null });
    expect(await at(34)).toEqual([id]);
    await changeSurvey(app, id, { archived: true });
    expect(await at(34)).toEqual([]);
  });

  test('with the keys of its flags, and without internal fields', async () => {
    const app = await openTestApp();
    const flag = await createFlag(app, 'checkout');
    const { json: action } = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: { name: 'Paid', steps: [{ event: 'paid' }] },
    });
    const made = await createSurvey(app, {
      description: 'secret',
      start_date: NOW,
      linked_flag_id: flag.id,
      targeting_flag_filters: PRO,
      conditions: { actions: { values: [{ id: action.id }] }, unknown: [1] },
    });
    const [told] = await shownSurveys(app);
    expect(told).toMatchObject({
      id: made.id,
      name: 'Feedback',
      type: 'popover',
      linked_flag_key: 'checkout',
      targeting_flag_key: `survey-targeting-${made.id}`,
      internal_targeting_flag_key: `survey-targeting-${made.id}-custom`,
      questions: made.questions,
      start_date: NOW,
      end_date: null,
      conditions: { unknown: [1], actions: { values: [{ id: action.id, name: 'Paid' }] } },
    });
    expect(JSON.stringify(told)).not.toMatch(/secret|@/);
    const path = `/api/projects/1/actions/${action.id}/`;
    await app.ask(path, { method: 'PATCH', body: { name: 'Bought' } });
    await app.ask(`${FLAGS}${flag.id}/`, { method: 'PATCH', body: { key: 'check-out' } });
    await expect
      .poll(() => shownSurveys(app))
      .toMatchObject([
        { linked_flag_key: 'check-out', conditions: { actions: { values: [{ name: 'Bought' }] } } },
      ]);
    // Without its action it would be shown immediately.
    await app.ask(path, { method: 'PATCH', body: { deleted: true } });
    expect(await shownSurveys(app)).toEqual([]);
  });

  test('10.2a remote configuration has the same list, and false when it is empty', async () => {
    const app = await openTestApp();
    const config = async () => (await app.ask(`/array/${TEST_TOKEN}/config`, { key: null })).json;
    expect((await config()).surveys).toBe(false);
    const { id } = await createSurvey(app, { start_date: NOW });
    expect((await config()).surveys).toEqual(await shownSurveys(app));
    await app.ask(`${SURVEYS}${id}/`, { method: 'DELETE' });
    expect((await config()).surveys).toBe(false);
  });

  test('each iteration by its number', async () => {
    const app = await openTestApp();
    await createSurvey(app, { start_date: NOW, iteration_count: 2, iteration_frequency_days: 1 });
    const iteration = async () => (await shownSurveys(app))[0]!.current_iteration;
    expect(await iteration()).toBe(1);
    app.clock.now += 86_400_000;
    expect(await iteration()).toBe(2);
  });
});

describe('a running survey', () => {
  const answers = (app: TestApp, id: string, count: number) => {
    const properties = { $survey_id: id };
    const batch = Array.from({ length: count }, () => ({
      event: 'survey sent',
      distinct_id: 'lin',
      properties,
    }));
    return app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  };
  const get = async (app: TestApp, id: string) => survey.parse((await app.ask(`${SURVEYS}${id}/`)).json);

  test('ends when it reaches its response limit', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app, { start_date: NOW, responses_limit: 2 });
    await answers(app, id, 1);
    app.clock.now += 60_000;
    expect(await shownSurveys(app)).toHaveLength(1);
    await answers(app, id, 1);
    app.clock.now += 60_000;
    await shownSurveys(app);
    await expect.poll(() => shownSurveys(app)).toEqual([]);
    expect(await get(app, id)).toMatchObject({
      // Answers are counted in the background: the look of the first minute may find the second answer.
      end_date: expect.stringMatching(/^2026-11-20T09:3[12]:00.000000Z$/),
      internal_targeting_flag: { active: false },
    });
  });

  test('ends also after its creator has left: in the name of the owner', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const body = { name: 'Mine', type: 'popover', questions: [OPEN], start_date: NOW, responses_limit: 1 };
    const { id } = survey.parse((await lin.ask(SURVEYS, { method: 'POST', body })).json);
    await removeMember(app, lin);
    await answers(app, id, 1);
    app.clock.now += 60_000;
    await shownSurveys(app);
    await expect.poll(() => shownSurveys(app)).toEqual([]);
  });

  test('starts again with its next iteration, and keeps edits of its flag', async () => {
    const app = await openTestApp();
    const made = await createSurvey(app, {
      start_date: NOW,
      iteration_count: 3,
      iteration_frequency_days: 7,
    });
    const flag = made.internal_targeting_flag!;
    const half = (flag.filters as FlagFilters).groups!.map((group) => ({ ...group, rollout_percentage: 50 }));
    await app.ask(`${FLAGS}${flag.id}/`, { method: 'PATCH', body: { filters: { groups: half } } });
    app.clock.now += 7 * 86_400_000;
    await shownSurveys(app);
    await expect
      .poll(async () => (await get(app, made.id)).internal_targeting_flag!.filters)
      .toMatchObject({
        groups: [
          {
            rollout_percentage: 50,
            properties: [
              { key: `$survey_dismissed/${made.id}/2` },
              { key: `$survey_responded/${made.id}/2` },
            ],
          },
        ],
      });
  });
});

test('responses are counted by survey, partial ones once', async () => {
  const app = await openTestApp();
  const { id } = await createSurvey(app, { start_date: NOW });
  const answer = (survey: string, submission?: string) => ({
    event: 'survey sent',
    distinct_id: 'lin',
    properties: { $survey_id: survey, ...(submission && { $survey_submission_id: submission }) },
  });
  const batch = [answer(id, 's1'), answer(id, 's1'), answer(id, 's2'), answer(id), answer(UNKNOWN)];
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  expect((await app.ask(`${SURVEYS}responses_count/`)).json).toEqual({ [id]: 3 });
});
